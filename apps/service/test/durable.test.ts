// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Backend, isReason, type LiveEvent, type Request, type TurnState } from "@blitz/api";
import { loadConfig } from "@blitz/config";
import { openWorkspace } from "@blitz/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attachTo, type Blitzd, createPlace, type Place, serviceOf, startBlitzd, until } from "./blitzd.js";

let place: Place;
let service: Blitzd;
beforeEach(async () => {
  place = await createPlace();
  service = startBlitzd(place);
  await service.ready;
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

const create = (file: string, id: string = file) => ({
  type: "call" as const,
  id: id.replace(".", "_"),
  name: "create_file",
  args: { path: file, content: "x\n" },
});
const shell = (command: string) => ({ type: "call" as const, name: "run_shell_command", args: { command } });

/** Starts a turn in a new session and leaves it to the service. */
async function begin(backend: Backend, text: string) {
  const { id } = await backend.newSession();
  const live: LiveEvent[] = [];
  const handlers = { onEvent: () => undefined, onLive: (event: LiveEvent) => void live.push(event) };
  const done = backend.run(id, { text }, handlers).catch((error: unknown) => error);
  return { id, done, live };
}

async function waiting(backend: Backend, count = 1): Promise<readonly Request[]> {
  let found: readonly Request[] = [];
  await until(async () => (found = await backend.pendingRequests()).length === count);
  return found;
}

function watch(backend: Backend, id: string) {
  const states: TurnState[] = [];
  const events: LiveEvent[] = [];
  const handlers = {
    onState: (state: TurnState) => void states.push(state),
    onEvent: (event: LiveEvent) => void events.push(event),
  };
  return { states, events, done: backend.watchSession(id, { after: 0 }, handlers) };
}

/** Kills the service as a crash would, and starts the next one. */
async function crash(): Promise<void> {
  await service.kill("SIGKILL");
  service = startBlitzd(place);
  await service.ready;
}

describe("a turn of the service", () => {
  it("goes on when the client that sent it is gone, and its transcript is whole (SVC-22)", async () => {
    const hold = Promise.withResolvers<void>();
    place.fake.script({ text: "All of it.", holdBody: hold.promise });
    const sender = await attachTo(place, "cli;sender");
    const { id } = await begin(sender, "go");
    await until(() => place.fake.requests.length === 1);
    await sender.close();
    const other = await attachTo(place, "cli;other");
    const seen = watch(other, id);
    await until(() => seen.states.length === 1);
    expect(seen.states[0]).toMatchObject({ phase: "running", by: "cli;sender" });
    hold.resolve();
    await seen.done;
    expect(seen.events.at(-1)).toMatchObject({ type: "finished", end: { output: "All of it." } });
    expect((await other.openSession(id, false)).session.messages?.map(({ text }) => text)).toEqual([
      "go",
      "All of it.",
    ]);
  });

  it("shows the same events to watchers from different numbers, and takes an answer from another client (BEY-40)", async () => {
    place.fake.script({ parts: [create("a.txt")] }, { text: "Done." });
    const sender = await attachTo(place, "cli;sender");
    const other = await attachTo(place, "desktop;other");
    const { id, done, live } = await begin(sender, "go");
    const [request] = await waiting(other);
    const seen = watch(other, id);
    await until(() => seen.states.length === 1);
    expect(await other.answerRequest(request?.id ?? "", "once")).toEqual({
      won: true,
      by: "desktop;other",
      answer: "once",
    });
    expect(await sender.answerRequest(request?.id ?? "", "deny")).toEqual({
      won: false,
      by: "desktop;other",
      answer: "once",
    });
    expect(await done).toMatchObject({ output: "Done." });
    await seen.done;
    expect(seen.events).toEqual(live);
    expect(live.find((event) => event.type === "resolved")).toMatchObject({ outcome: "answered", by: "desktop;other" });
    expect(place.has("a.txt")).toBe(true);
  });

  it("lets one of two answers at once win, and tells the other whose (SVC-26)", async () => {
    place.fake.script({ parts: [create("a.txt")] }, { text: "Done." });
    const clients = [await attachTo(place, "cli;one"), await attachTo(place, "cli;two")] as const;
    const { done } = await begin(clients[0], "go");
    const [request] = await waiting(clients[0]);
    const answers = await Promise.all(clients.map((client) => client.answerRequest(request?.id ?? "", "once")));
    expect(answers.filter((answer) => answer.won)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.by)).size).toBe(1);
    await done;
  });

  it("closes the prompt of every other client when one has answered (SVC-26, CL-05)", async () => {
    place.fake.script({ parts: [create("a.txt")] }, { text: "Done." });
    const sender = await attachTo(place, "cli;sender");
    const signals: AbortSignal[] = [];
    sender.setUi({
      approve: (_request, signal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
      ask: () => Promise.reject(new Error("none")),
    });
    const { done } = await begin(sender, "go");
    await until(() => signals.length === 1);
    const other = await attachTo(place, "cli;other");
    const [request] = await waiting(other);
    await other.answerRequest(request?.id ?? "", "deny");
    await done;
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe("kill -9 of the service", () => {
  it("leaves what waits: the requests are listed again, clients come back by themselves, the call runs once (SVC-25)", async () => {
    place.fake.script({ parts: [shell("echo ran >> ran.txt"), create("a.txt")] }, { text: "Done." });
    const sender = await attachTo(place, "cli;sender");
    await sender.addPermissionRule("allow", "shell(echo *)");
    const { id, done, live } = await begin(sender, "go");
    await until(() => live.some((event) => event.type === "request"));
    const [before] = await waiting(sender);
    const isRan = (): boolean => place.has("ran.txt");
    await crash();

    const other = await attachTo(place, "cli;other");
    const [again] = await waiting(other);
    expect(again).toEqual(before);
    const ranBefore = isRan();
    expect(await other.answerRequest(again?.id ?? "", "once")).toMatchObject({ won: true });
    // The sender never gave up: its stream was taken up again, each event told once.
    expect(await done).toMatchObject({ output: "Done." });
    expect(live.map((event) => event.n)).toEqual([...new Set(live.map((event) => event.n))]);
    expect(live.filter((event) => event.type === "finished")).toHaveLength(1);
    expect(place.has("a.txt")).toBe(true);
    if (ranBefore) expect(place.get("ran.txt")).toBe("ran\n");
    expect(readdirSync(path.join(place.home, ".blitz", "sessions")).filter((name) => name.includes(".turn."))).toEqual(
      [],
    );
    expect((await other.openSession(id, false)).session.messages?.map(({ role }) => role)).toEqual(["user", "model"]);
  });

  it("cuts a turn that ran: its client is told within two seconds, the lock is free, the session goes on (T-SVC-1)", async () => {
    const hold = Promise.withResolvers<void>();
    place.fake.script({ text: "never", hold: hold.promise }, { text: "Again." });
    const sender = await attachTo(place, "cli;sender");
    const { id, done } = await begin(sender, "go");
    await until(() => place.fake.requests.length === 1);
    await crash();
    expect(isReason(await done, "SERVICE_UNAVAILABLE")).toBe(true);
    const next = await attachTo(place, "cli;next");
    expect(await next.pendingRequests()).toEqual([]);
    const { session } = await next.openSession(id, false);
    expect(session.messages?.map(({ text }) => text)).toEqual(["go"]);
    expect(await next.run(id, { text: "go on" }, { onEvent: () => undefined })).toMatchObject({ output: "Again." });
    hold.resolve();
  });
});

describe("stopping the service", () => {
  it("leaves a waiting turn to the next one at once, and frees everything (SVC-04, 25)", async () => {
    place.fake.script({ parts: [create("a.txt")] }, { text: "Done." });
    const sender = await attachTo(place, "cli;sender");
    const { id } = await begin(sender, "go");
    const [request] = await waiting(sender);
    const ended = await service.kill("SIGTERM");
    expect([ended.code, existsSync(place.endpoint)]).toEqual([0, false]);
    service = startBlitzd(place);
    await service.ready;
    const next = await attachTo(place);
    const seen = watch(next, id);
    await until(() => seen.states.length === 1);
    expect(seen.states[0]).toMatchObject({ phase: "suspended", requests: [{ id: request?.id }] });
    await next.answerRequest(request?.id ?? "", "once");
    await seen.done;
    expect(place.has("a.txt")).toBe(true);
  });

  it("lets a turn that runs come to its end, and takes no new one meanwhile (SVC-04)", async () => {
    const hold = Promise.withResolvers<void>();
    place.fake.script({ text: "To its end.", holdBody: hold.promise });
    const backend = await attachTo(place);
    const { done, live } = await begin(backend, "go");
    await until(() => place.fake.requests.length === 1);
    service.child.kill("SIGTERM");
    await until(() => !existsSync(place.endpoint));
    await expect(backend.newSession()).rejects.toMatchObject({ reason: "SERVICE_UNAVAILABLE" });
    hold.resolve();
    expect(await done).toMatchObject({ output: "To its end." });
    expect([(await service.done).code, live.at(-1)?.type]).toEqual([0, "finished"]);
  });

  it("stops over the API after its answer, and refuses to close a workspace where a turn waits (SVC-04, 14)", async () => {
    place.fake.script({ parts: [create("a.txt")] });
    const backend = await attachTo(place);
    const client = serviceOf(place);
    expect(await client.listWorkspaces()).toEqual([place.ws]);
    await begin(backend, "go");
    await waiting(backend);
    await expect(client.closeWorkspace(place.ws)).rejects.toMatchObject({ reason: "TURN_RUNNING" });
    await client.shutdown();
    expect((await service.done).code).toBe(0);
    await expect(client.info()).rejects.toMatchObject({ reason: "SERVICE_UNAVAILABLE" });
  });

  it("writes what happened into its log, readable over the API, without prompts or keys (LOG-05, SVC-06a)", async () => {
    place.fake.script({ text: "Secret answer." });
    const backend = await attachTo(place);
    await (await begin(backend, "secret prompt")).done;
    const client = serviceOf(place);
    const { days, dir } = await client.logDays();
    await until(async () => (await client.readLog({ day: "", minLevel: "", text: "opened", limit: 0 })).matched === 1);
    const page = await client.readLog({ day: days[0] ?? "", minLevel: "info", text: "", limit: 0 });
    expect(page.entries.map((entry) => entry.message).reverse()).toEqual(["service started", "workspace opened"]);
    expect(page.entries[0]?.attributes).toContainEqual({ key: "workspace", value: place.ws });
    const text = readdirSync(dir)
      .map((name) => readFileSync(path.join(dir, name), "utf8"))
      .join("");
    expect(text).not.toMatch(/secret|Secret|test-key/);
    await expect(client.readLog({ day: "../x", minLevel: "", text: "", limit: 0 })).rejects.toMatchObject({
      reason: "INTERNAL",
    });
    const info = await client.info();
    expect(info).toMatchObject({ pid: service.child.pid, replaced: false });
  });
});

describe("a workspace", () => {
  it("is one owner's: busy in the service while another blitz has it, and the other way round (SVC-12)", async () => {
    const { config } = await loadConfig({ dir: place.cfg, home: place.home, env: place.env });
    const options = { dir: place.ws, home: place.home, config, env: place.env, warn: () => undefined };
    const local = await openWorkspace(options);
    await expect(attachTo(place)).rejects.toMatchObject({
      reason: "WORKSPACE_BUSY",
      metadata: { workspace: place.ws, pid: String(process.pid) },
    });
    await local.close();
    const served = await attachTo(place);
    await served.close(); // leaves it open there
    await expect(openWorkspace(options)).rejects.toMatchObject({
      reason: "WORKSPACE_BUSY",
      metadata: { pid: String(service.child.pid) },
    });
    await serviceOf(place).closeWorkspace(place.ws);
    await (await openWorkspace(options)).close();
  });
});

describe("background runs", () => {
  it("run with nobody there, wait for anybody, and are listed over a restart (SVC-24)", async () => {
    place.fake.script({ text: "Fine." }, { parts: [create("a.txt")] }, { text: "Done." });
    const client = serviceOf(place, "cli;bg");
    const first = await client.startBackground(place.ws, { text: "first line\nsecond" });
    expect(first).toMatchObject({ id: "bg-1", workspace: place.ws, prompt: "first line", state: "running" });
    await until(async () => (await client.listBackground())[0]?.state === "done");
    const second = await client.startBackground(place.ws, { text: "make it" });
    await until(async () => (await client.listBackground())[0]?.state === "waiting");
    await crash();
    await until(async () => (await client.listBackground())[0]?.state === "waiting");
    expect(await client.listBackground()).toMatchObject([
      { id: second.id, waiting: 1, sessionId: second.sessionId },
      { id: "bg-1", state: "done" },
    ]);
    const backend = await attachTo(place);
    expect(await backend.activeSession()).toBeUndefined();
    const events: LiveEvent[] = [];
    const following = client.watchBackground(second.id, true, {
      onState: () => undefined,
      onEvent: (event) => void events.push(event),
    });
    const [request] = await waiting(backend);
    await backend.answerRequest(request?.id ?? "", "once");
    await following;
    expect(events.at(-1)).toMatchObject({ type: "finished", end: { output: "Done." } });
    await until(async () => (await client.listBackground())[0]?.state === "done");
  });

  it("are followed from their first event, however soon somebody looks (SVC-24)", async () => {
    place.fake.script({ text: "Fine." });
    const client = serviceOf(place);
    const { id } = await client.startBackground(place.ws, { text: "go" });
    const types: string[] = [];
    await client.watchBackground(id, true, {
      onState: () => undefined,
      onEvent: (event) => void types.push(event.type),
    });
    expect([types[0], types.at(-1)]).toEqual(["accepted", "finished"]);
  });

  it("fail when the service dies under them, are stopped when asked, and unknown ones are refused (SVC-24)", async () => {
    const hold = Promise.withResolvers<void>();
    place.fake.script({ text: "x", hold: hold.promise }, { text: "y", hold: hold.promise });
    const client = serviceOf(place);
    await client.startBackground(place.ws, { text: "one" });
    await until(() => place.fake.requests.length === 1);
    await crash();
    await until(async () => (await client.listBackground())[0]?.state === "failed");
    const two = await client.startBackground(place.ws, { text: "two" });
    await until(() => place.fake.requests.length === 2);
    expect(await client.stopBackground(two.id)).toMatchObject({ id: "bg-2", state: "stopped" });
    for (const work of [
      client.stopBackground("bg-9"),
      client.watchBackground("bg-9", false, { onState: () => undefined, onEvent: () => undefined }),
    ])
      await expect(work).rejects.toMatchObject({ reason: "UNKNOWN_RUN", metadata: { id: "bg-9" } });
    await expect(client.startBackground(place.ws, { text: " " })).rejects.toMatchObject({ reason: "INVALID_TURN" });
    hold.resolve();
  });
});
