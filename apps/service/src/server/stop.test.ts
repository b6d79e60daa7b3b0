// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { once } from "node:events";
import { connect } from "node:net";
import { isReason } from "@blitz/api";
import { ErrorInfoSchema } from "@blitz/proto/turn";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { clientOf, type Implementation, KINDS, openRaw, startTestServer } from "./testing/index.js";

interface Waiting {
  readonly calls: Implementation;
  readonly begun: Promise<void>;
  readonly finish: () => void;
  readonly seen: string[];
}

/** `GetServiceInfo` waits to be finished, unless its client goes; `ListWorkspaces` answers. */
function waiting(): Waiting {
  const begun = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const seen: string[] = [];
  const calls: Implementation = {
    getServiceInfo: async (_request, { signal }) => {
      signal.addEventListener("abort", () => seen.push("aborted"));
      begun.resolve();
      await finished.promise;
      return { pid: 7 };
    },
    listWorkspaces: () => {
      seen.push("listed");
      return {};
    },
  };
  return { calls, begun: begun.promise, finish: finished.resolve, seen };
}

async function errorOf(work: PromiseLike<unknown>): Promise<ConnectError> {
  return await Promise.resolve(work).then(
    () => Promise.reject(new Error("it didn't fail")),
    (error: unknown) => ConnectError.from(error),
  );
}

describe("stopping a server", () => {
  it.each(KINDS)("waits for a call and refuses new ones, saying why: %s (SVC-04)", async (kind) => {
    const { calls, begun, finish, seen } = waiting();
    await using served = await startTestServer(calls);
    using client = clientOf(kind, served.socketPath);
    using late = clientOf(kind, served.socketPath);
    const going = client.workspace.getServiceInfo({});
    await begun;
    let isStopped = false;
    const stopped = served.server.stop(60_000).then(() => {
      isStopped = true;
    });
    for (const asking of [client, late]) {
      const error = await errorOf(asking.workspace.listWorkspaces({}));
      expect(error.code).toBe(Code.Unavailable);
      expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "SHUTTING_DOWN" }]);
    }
    using streaming = clientOf(kind, served.socketPath);
    const stream = streaming.session.watchSession({})[Symbol.asyncIterator]();
    expect((await errorOf(stream.next())).findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "SHUTTING_DOWN" }]);
    expect(isStopped).toBe(false);
    finish();
    expect((await going).pid).toBe(7);
    await stopped;
    expect(await served.connections()).toBe(0);
    expect(seen).not.toContain("listed");
  });

  it("closes idle connections at once, and the busy one with its answer (SVC-04)", async () => {
    const { calls, begun, finish } = waiting();
    await using served = await startTestServer(calls);
    using idle = await openRaw(served.socketPath);
    idle.call("WorkspaceService/ListWorkspaces");
    expect((await idle.answer()).headers["connection"]).toBe("keep-alive");
    using silent = await openRaw(served.socketPath);
    using busy = await openRaw(served.socketPath);
    busy.call("WorkspaceService/GetServiceInfo");
    await begun;
    const stopped = served.server.stop(60_000);
    expect(await idle.closed()).toBe("");
    expect(await silent.closed()).toBe("");
    finish();
    expect(await busy.answer()).toMatchObject({ status: 200, headers: { connection: "close" } });
    await busy.closed();
    await stopped;
  });

  it.each(KINDS)("cuts what is left after the grace, and its handlers see it: %s (SVC-04)", async (kind) => {
    const { calls, begun, seen } = waiting();
    await using served = await startTestServer(calls);
    using client = clientOf(kind, served.socketPath);
    const cut = errorOf(client.workspace.getServiceInfo({}));
    await begun;
    await served.server.stop(20);
    expect(await served.connections()).toBe(0);
    await cut;
    await expect.poll(() => seen).toEqual(["aborted"]);
  });

  it("tells streams, which may end by themselves (SVC-04)", async () => {
    const begun = Promise.withResolvers<void>();
    const told = Promise.withResolvers<unknown>();
    await using served = await startTestServer({
      watchSession: async function* () {
        yield { event: { n: 1n } };
        begun.resolve();
        const { stopping } = served.server;
        await once(stopping, "abort");
        told.resolve(stopping.reason);
        yield { event: { n: 2n } };
      },
    });
    using client = clientOf("connect", served.socketPath);
    const stream = client.session.watchSession({})[Symbol.asyncIterator]();
    await stream.next();
    const rest = stream.next();
    await begun.promise;
    const stopped = served.server.stop(60_000);
    expect((await rest).value?.event?.n).toBe(2n);
    expect((await stream.next()).done).toBe(true);
    expect(isReason(await told.promise, "SHUTTING_DOWN")).toBe(true);
    await stopped;
  });

  it("happens once, and leaves nobody who comes later waiting (SVC-04)", async () => {
    await using served = await startTestServer({});
    const first = served.server.stop(60_000);
    expect(served.server.stop(0)).toBe(first);
    await first;
    const late = connect(served.socketPath);
    late.on("error", () => undefined);
    await once(late, "close");
  });

  it("doesn't wait for a client that keeps its end open after the goodbye (SVC-04)", async () => {
    const { calls, begun, finish } = waiting();
    await using served = await startTestServer(calls);
    using client = clientOf("grpc", served.socketPath);
    const stubborn = connect({ path: served.socketPath, allowHalfOpen: true });
    stubborn.on("error", () => undefined);
    stubborn.write(
      Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), Buffer.from("000000040000000000", "hex")]),
    );
    await once(stubborn, "data");
    const going = client.workspace.getServiceInfo({});
    await begun;
    const stopped = served.server.stop(60_000);
    finish();
    await going;
    await stopped;
    expect(await served.connections()).toBe(0);
    stubborn.destroy();
  });
});
