// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { readdirSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { LiveEvent } from "@blitz/api";
import type { Answer, ReceivedRequest } from "@blitz/fakeprovider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Service, startService } from "../src/service.js";
import { attachTo, createPlace, type Place, until } from "./blitzd.js";

setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc") as () => void;

let place: Place;
let service: Service;
beforeEach(async () => {
  place = await createPlace();
  const { endpoint, cfg: configDir, home, env } = place;
  service = await startService({
    endpoint,
    configDir,
    home,
    env,
    version: "test",
    executable: process.execPath,
    warn: () => undefined,
  });
});
afterEach(async () => {
  await service.stop();
  await place[Symbol.asyncDispose]();
});

/** Numbers that look random and are the same in every run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** A model that makes the file its prompt names, then says so. */
function answer(request: ReceivedRequest): Answer {
  const name = /make (\S+\.txt)/.exec(request.text)?.[1] ?? "none.txt";
  if (request.text.includes("tool_result")) return { text: `Made ${name}. ${"word ".repeat(400)}` };
  return { parts: [{ type: "call", name: "create_file", args: { path: name, content: `${name}\n` } }] };
}

/** Fifty sessions over ten clients, of which some are cut off in the middle; others answer. */
async function crowd(round: number): Promise<{ readonly finished: number; readonly cut: number }> {
  const random = sequence(round + 1);
  const clients = await Promise.all(Array.from({ length: 10 }, (_one, at) => attachTo(place, `cli;${at}`)));
  const answering = await attachTo(place, "desktop;answers");
  place.fake.script(...Array.from({ length: 100 }, () => answer));
  const finished = new Set<string>();
  const accepted = new Set<string>();
  const sessions = await Promise.all(
    clients.flatMap((client, at) =>
      Array.from({ length: 5 }, async (_one, turn) => ({
        client,
        name: `${at}-${turn}`,
        ...(await client.newSession()),
      })),
    ),
  );
  // One that is cut off never hears of its end; its turn is the service's.
  const runs = sessions.map(({ client, id, name }) =>
    client.run(
      id,
      { text: `make r${round}-${name}.txt` },
      { onEvent: () => undefined, onAccepted: () => void accepted.add(id) },
    ),
  );
  const ends = Promise.allSettled(runs);
  await until(() => accepted.size === 50);
  const watching = sessions.map(({ id }) => {
    const onEvent = (event: LiveEvent): void => void (event.type === "finished" && finished.add(id));
    return answering.watchSession(id, { after: 0 }, { onState: () => undefined, onEvent });
  });
  let cut = 0;
  while (finished.size < 50) {
    for (const { id } of await answering.pendingRequests())
      await answering.answerRequest(id, "once").catch(() => undefined);
    if (random() < 0.5 && cut < 4) await clients[cut++]?.close(); // its connections break under its turns
  }
  await Promise.all(watching);
  await Promise.all(clients.map((client) => client.close()));
  await ends;
  await answering.close();
  return { finished: finished.size, cut };
}

function filesOf(round: number): number {
  return readdirSync(place.ws).filter((name) => name.startsWith(`r${round}-`)).length;
}

describe("ten clients and fifty sessions", () => {
  it("lose nothing when clients go away at random, deny nothing, and leave the memory as it was (issue 3)", async () => {
    const levels: number[] = [];
    for (const round of [0, 1, 2]) {
      expect(await crowd(round)).toEqual({ finished: 50, cut: 4 });
      expect(filesOf(round)).toBe(50);
      const backend = await attachTo(place);
      const sessions = await backend.listSessions(false);
      expect(sessions.filter((session) => session.messageCount === 2)).toHaveLength(50 * (round + 1));
      expect(await backend.pendingRequests()).toEqual([]);
      await backend.close();
      collect();
      await new Promise((resolve) => setImmediate(resolve));
      collect();
      levels.push(process.memoryUsage().heapUsed);
    }
    const [, second = 0, third = 0] = levels;
    expect(third - second).toBeLessThan(8 << 20);
    expect(place.fake.violations).toEqual([]);
  }, 120_000);
});
