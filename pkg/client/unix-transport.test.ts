// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as listen } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { apiError } from "@blitz/api";
import { SessionService } from "@blitz/proto/session";
import { WorkspaceService } from "@blitz/proto/workspace";
import { errorFromConnect, errorToConnect, isConnectionLost } from "@blitz/wire";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attach, createUnixTransport, openService } from "./index.js";
import {
  accepted,
  failureOf,
  finished,
  message,
  say,
  type Sessions,
  stateMessage,
  type Workspaces,
} from "./testing/fake-service.js";

let dir: string;
let socket: string;
let servers: Server[];
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "client-"));
  socket = path.join(dir, "s");
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await kill(server);
  rmSync(dir, { recursive: true, force: true });
});

/** A service on the socket. */
async function serve(sessions: Sessions, workspaces: Workspaces = {}): Promise<Server> {
  const adapter = connectNodeAdapter({
    routes: ({ service }) => {
      service(SessionService, sessions);
      service(WorkspaceService, { getModel: () => ({ name: "m" }), ...workspaces });
    },
  });
  const server = createServer(adapter);
  servers.push(server);
  server.listen(socket);
  await once(server, "listening");
  return server;
}

/** Ends a service as a crash does: every connection breaks. */
async function kill(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

const connect = (client = "script;test") => {
  const { transport, close } = createUnixTransport(socket, client);
  return {
    sessions: createClient(SessionService, transport),
    workspaces: createClient(WorkspaceService, transport),
    close,
  };
};

describe("the transport over a local socket (SVC-03)", () => {
  it("carries unary calls of any size under the client's name (PRT-08)", async () => {
    const names: (string | null)[] = [];
    const diff = "+é\n".repeat(1 << 20);
    await serve(
      {},
      {
        setModel: ({ ref }, { requestHeader }) => {
          names.push(requestHeader.get("x-blitz-client"));
          return { activePin: ref };
        },
        getDiff: () => ({ diff }),
      },
    );
    const { workspaces } = connect("cli;pts/3\u2028\u0000é\r\n");
    const ref = "m".repeat(3 << 20);
    expect((await workspaces.setModel({ ref })).activePin).toBe(ref);
    expect((await workspaces.getDiff({})).diff).toBe(diff);
    expect(names).toEqual(["cli;pts/3"]);
  });

  it("brings a stream's messages as they are sent", async () => {
    const gates = [1, 2].map(() => Promise.withResolvers<void>());
    await serve({
      runTurn: async function* () {
        yield message(1, accepted);
        await gates[0]?.promise;
        yield message(2, say("x".repeat(1 << 20)));
        await gates[1]?.promise;
        yield message(3, finished());
      },
    });
    const seen: bigint[] = [];
    for await (const { event } of connect().sessions.runTurn({})) {
      seen.push(event?.n ?? 0n);
      gates[seen.length - 1]?.resolve(); // the next is sent only when this one has come
    }
    expect(seen).toEqual([1n, 2n, 3n]);
  });

  it("never makes a call wait for open streams", async () => {
    await serve({
      watchSession: async function* (_request, { signal }) {
        yield message(1, accepted);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    const { sessions, workspaces } = connect();
    const stop = new AbortController();
    const streams = Array.from({ length: 40 }, () =>
      sessions.watchSession({}, { signal: stop.signal })[Symbol.asyncIterator](),
    );
    await Promise.all(streams.map((stream) => stream.next()));
    expect((await workspaces.getModel({})).name).toBe("m");
    stop.abort();
  });

  it("brings errors with their details, of calls and of streams", async () => {
    const busy = apiError("SESSION_BUSY", "a turn is running", { id: "é" });
    await serve({
      runTurn: async function* () {
        yield message(1, accepted);
        throw errorToConnect(busy);
      },
      newSession: () => {
        throw errorToConnect(busy);
      },
    });
    const { sessions } = connect();
    expect(errorFromConnect(await failureOf(sessions.newSession({})))).toStrictEqual(busy);
    const drain = async (): Promise<void> => {
      for await (const one of sessions.runTurn({})) expect(one.event?.n).toBe(1n);
    };
    expect(errorFromConnect(await failureOf(drain()))).toStrictEqual(busy);
    const unknown = await failureOf(sessions.listSessions({}));
    expect(unknown).toMatchObject({ code: Code.Unimplemented });
  });

  it.each(["aborting", "leaving"])("ends the request when a stream is left by %s it", async (how) => {
    const ended = Promise.withResolvers<void>();
    await serve({
      watchSession: async function* (_request, { signal }) {
        signal.addEventListener("abort", () => ended.resolve());
        yield message(1, accepted);
        await ended.promise;
      },
    });
    const stop = new AbortController();
    const why = new Error("enough");
    const read = async (): Promise<void> => {
      for await (const _one of connect().sessions.watchSession({}, { signal: stop.signal })) {
        if (how === "leaving") return;
        stop.abort(why);
      }
    };
    if (how === "leaving") await read();
    else expect(await failureOf(read())).toMatchObject({ code: Code.Canceled, cause: why });
    await ended.promise;
  });

  it("ends a call that is aborted while it waits, and one aborted before", async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    await serve(
      {},
      {
        getDiff: async (_request, { signal }) => {
          begun.resolve();
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          ended.resolve();
          return {};
        },
      },
    );
    const { workspaces } = connect();
    const stop = new AbortController();
    const call = failureOf(workspaces.getDiff({}, { signal: stop.signal }));
    await begun.promise;
    stop.abort();
    expect(errorFromConnect(await call)).toMatchObject({ name: "AbortError" });
    await ended.promise;
    const late = await failureOf(workspaces.getDiff({}, { signal: AbortSignal.abort() }));
    expect(errorFromConnect(late)).toMatchObject({ name: "AbortError" });
  });

  it("opens a new connection when a kept one was closed meanwhile", async () => {
    let connections = 0;
    const server = await serve({});
    server.on("connection", () => connections++);
    const { workspaces } = connect();
    await workspaces.getModel({});
    await workspaces.getModel({});
    expect(connections).toBe(1);
    server.closeIdleConnections();
    expect((await workspaces.getModel({})).name).toBe("m");
    expect(connections).toBe(2);
  });
});

describe("a service that isn't there", () => {
  const reach = async (): Promise<unknown> => await failureOf(connect().workspaces.getModel({}));

  it.each([
    ["no socket is there", () => undefined],
    [
      "the socket is stale",
      () => {
        const script = `require("node:net").createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, "SIGKILL"))`;
        spawnSync(process.execPath, ["-e", script]);
        expect(existsSync(socket)).toBe(true);
      },
    ],
    ["it isn't a socket", () => writeFileSync(socket, "")],
  ])("is SERVICE_UNAVAILABLE when %s", async (_name, prepare) => {
    prepare();
    const failure = await reach();
    expect(failure).toBeInstanceOf(ConnectError);
    expect([isConnectionLost(failure), (failure as ConnectError).code]).toEqual([true, Code.Unavailable]);
    const options = { endpoint: socket, dir: "/ws", client: "script;test", warn: () => undefined };
    expect(await failureOf(attach(options))).toMatchObject({ reason: "SERVICE_UNAVAILABLE" });
    const service = openService(options);
    expect(await failureOf(service.info())).toMatchObject({ reason: "SERVICE_UNAVAILABLE" });
    service.close();
  });

  it("is SERVICE_UNAVAILABLE when something else answers there", async () => {
    const other = listen((connection) => connection.resume().end("220 mail\r\n")).listen(socket);
    await once(other, "listening");
    expect(isConnectionLost(await reach())).toBe(true);
    other.close();
    await once(other, "close");
  });

  it("is noticed in the middle of a call and of a stream (CL-21)", async () => {
    const begun = Promise.withResolvers<void>();
    const server = await serve(
      {
        watchSession: async function* (_request, { signal }) {
          yield message(1, accepted);
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        },
      },
      {
        getDiff: async (_request, { signal }) => {
          begun.resolve();
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return {};
        },
      },
    );
    const { sessions, workspaces } = connect();
    const stream = sessions.watchSession({})[Symbol.asyncIterator]();
    await stream.next();
    const call = failureOf(workspaces.getDiff({}));
    await begun.promise;
    await kill(server);
    const failures = [await call, await failureOf(stream.next())];
    expect(failures.map(isConnectionLost)).toEqual([true, true]);
  });
});

describe("a backend over the socket", () => {
  const options = () => ({ endpoint: socket, dir: "/ws", client: "script;test", warn: () => undefined });

  it("sees a turn through a restart of the service (CL-05)", async () => {
    const asked: unknown[] = [];
    const first = await serve({
      runTurn: async function* (_request, { signal }) {
        yield message(1, accepted);
        yield message(2, say("one"));
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    const backend = await attach(options());
    const told: string[] = [];
    const restart = async (): Promise<void> => {
      await kill(first);
      await serve({
        watchSession: async function* ({ turnId, after }) {
          asked.push([turnId, after]);
          yield stateMessage({ phase: "suspended" });
          yield message(3, say("two"));
          yield message(4, finished());
        },
      });
    };
    let restarting: Promise<void> | undefined;
    const result = await backend.run(
      "s",
      { text: "x" },
      {
        onEvent: (event) => {
          told.push(event.type === "notice" ? event.text : event.type);
          restarting ??= restart();
        },
      },
    );
    await restarting;
    expect([result.output, told, asked]).toEqual(["done", ["one", "two"], [["e-1", 2n]]]);
    await backend.close();
  });

  it("lets go of its streams when it is closed (CL-03)", async () => {
    const left = Promise.withResolvers<void>();
    await serve({
      watchSession: async function* (_request, { signal }) {
        signal.addEventListener("abort", () => left.resolve());
        yield stateMessage();
        await left.promise;
      },
    });
    const backend = await attach(options());
    const handlers = { onState: () => void backend.close(), onEvent: () => undefined };
    await backend.watchSession("s", { after: 0, follow: true }, handlers);
    await left.promise;
  });
});
