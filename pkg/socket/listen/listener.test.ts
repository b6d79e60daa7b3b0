// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isAnswering } from "../probe.js";
import { ListenError, type Listener, openListener } from "./index.js";

let root: string;
let dir: string;
let endpoint: string;
const children: Child[] = [];
beforeEach(() => {
  root = mkdtempSync(path.join(realpathSync(tmpdir()), "blitz-listen-"));
  dir = path.join(root, "run");
  endpoint = path.join(dir, "blitz.sock");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

const modeOf = (file: string): number => statSync(file).mode & 0o777;
/** Somebody who only looks whether there is an answer resets the connection. */
const greet = (socket: Socket): void => void socket.on("error", () => undefined).end("hello");
const listen = (at = endpoint): Promise<Listener> => openListener(at, { onConnection: greet });

/** The kind of problem listening ends with, and undefined when it works. */
async function problem(at = endpoint): Promise<string | undefined> {
  try {
    await (await listen(at)).close();
    return undefined;
  } catch (error) {
    return error instanceof ListenError ? error.kind : String(error);
  }
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Sources name each other `.js`; a program outside vitest needs to be told that they are `.ts`. */
const LOADER = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({ resolve: (name, context, next) => {
    try { return next(name, context); }
    catch (error) { if (name.endsWith(".js")) return next(name.slice(0, -3) + ".ts", context); throw error; }
  } });`)}`;

/** A process in which `openListener` is the real one and `say` writes a line for the test. */
function startChild(body: string): Child {
  const extension = path.extname(import.meta.filename);
  const program = `
    import net from "node:net";
    import fs from "node:fs";
    import { openListener } from ${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, `index${extension}`)).href)};
    const endpoint = ${JSON.stringify(endpoint)};
    const onConnection = (socket) => socket.on("error", () => {}).end("hello");
    const say = (word) => process.stdout.write(word + "\\n");
    ${body}`;
  const flags = [...(extension === ".ts" ? ["--conditions=blitz-source"] : []), "--import", LOADER];
  const child = spawn(process.execPath, [...flags, "--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}

async function said(child: Child): Promise<string> {
  const [word] = (await once(child.stdout, "data")) as [Buffer];
  return word.toString().trim();
}

/** Another process that listens. */
async function listenElsewhere(): Promise<Child> {
  const child = startChild(`await openListener(endpoint, { onConnection }); say("listening");`);
  expect(await said(child)).toBe("listening");
  return child;
}

async function kill(child: Child): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

describe("openListener", () => {
  it("gives every connection to its owner, in a directory and on a socket of the user alone (SVC-02)", async () => {
    const listener = await listen();
    expect(await text(connect(endpoint))).toBe("hello");
    expect([modeOf(dir), modeOf(endpoint), modeOf(path.join(dir, "blitzd.lock.db"))]).toEqual([0o700, 0o600, 0o600]);
    expect(readdirSync(dir).toSorted()).toEqual(["blitz.sock", "blitzd.lock.db"]);
    expect(listener.server.listening).toBe(true);
    await listener.close();
  });

  it("corrects a directory that was open to others (SVC-02)", async () => {
    mkdirSync(dir);
    chmodSync(dir, 0o755);
    const listener = await listen();
    expect(modeOf(dir)).toBe(0o700);
    await listener.close();
  });

  it("leaves no moment in which others could reach the socket, whatever the umask (SVC-02)", async () => {
    const child = startChild(`
      process.umask(0);
      const listen = net.Server.prototype.listen;
      const modes = [];
      const look = () => fs.readdirSync(${JSON.stringify(dir)}).map((name) => ${JSON.stringify(dir)} + "/" + name)
        .concat(${JSON.stringify(dir)}).map((file) => fs.lstatSync(file)).forEach((info) => modes.push(info.mode));
      net.Server.prototype.listen = function (...args) { look(); listen.apply(this, args); look(); return this; };
      await openListener(endpoint, { onConnection });
      look();
      const sockets = modes.filter((mode) => (mode & fs.constants.S_IFMT) === fs.constants.S_IFSOCK).length;
      say(JSON.stringify([sockets, modes.filter((mode) => mode & 0o077).length, process.umask()]));`);
    expect(await said(child)).toBe("[2,0,0]");
    expect(modeOf(endpoint)).toBe(0o600);
  });

  it("replaces the socket of a service that was killed (SVC-02, T-SVC-1)", async () => {
    await kill(await listenElsewhere());
    const stale = lstatSync(endpoint);
    expect(stale.isSocket()).toBe(true);
    const listener = await listen();
    expect(await text(connect(endpoint))).toBe("hello");
    await listener.close();
    expect(existsSync(endpoint)).toBe(false);
  });

  it("replaces what a service left that was killed between binding and naming its socket", async () => {
    mkdirSync(dir);
    const bound = path.join(dir, "blitz.soc~");
    const child = startChild(`
      net.createServer().listen(${JSON.stringify(bound)}, () => say("bound"));`);
    await said(child);
    await kill(child);
    expect(await problem()).toBeUndefined();
    expect(existsSync(bound)).toBe(false);
  });

  it("refuses while a service of this or another process is there, which stays (SVC-02)", async () => {
    const child = await listenElsewhere();
    expect(await problem()).toBe("answering");
    expect(await isAnswering(endpoint)).toBe(true);
    await kill(child);
    const listener = await listen();
    expect(await problem()).toBe("answering");
    expect(await text(connect(endpoint))).toBe("hello");
    await listener.close();
  });

  it("refuses while something else answers there", async () => {
    mkdirSync(dir);
    const server = createServer(greet).listen(endpoint);
    await once(server, "listening");
    expect(await problem()).toBe("answering");
    expect(await text(connect(endpoint))).toBe("hello");
    server.close();
  });

  it.skipIf(process.platform !== "linux")("keeps a socket whose owner is too busy to answer", async () => {
    mkdirSync(dir);
    const child = startChild(`
      net.createServer().listen({ path: endpoint, backlog: 1 }, () => { fs.writeSync(1, "stuck\\n"); for (;;); });`);
    await said(child);
    const waiting: Socket[] = [];
    let isFull = false;
    while (!isFull) {
      const socket = connect(endpoint);
      waiting.push(socket);
      isFull = await new Promise((resolve) => {
        socket.once("connect", () => resolve(false));
        socket.once("error", () => resolve(true));
      });
    }
    expect([await isAnswering(endpoint), await problem(), existsSync(endpoint)]).toEqual([false, "failed", true]);
    for (const socket of waiting) socket.destroy();
  });

  it("keeps a file that is no socket, and a link (SVC-02, T-SVC-1)", async () => {
    mkdirSync(dir);
    writeFileSync(endpoint, "notes");
    expect([await problem(), readFileSync(endpoint, "utf8")]).toEqual(["not-a-socket", "notes"]);
    rmSync(endpoint);
    symlinkSync("elsewhere", endpoint);
    expect([await problem(), lstatSync(endpoint).isSymbolicLink()]).toEqual(["not-a-socket", true]);
    rmSync(endpoint);
    expect(await problem()).toBeUndefined(); // nothing was left held
  });

  it.each([103, 104, 105, 106, 107, 108, 109, 110])(
    "works or says so at a path of %i bytes, and makes no file of a shortened name (T-SVC-1)",
    async (bytes) => {
      const start = path.join(dir, "ü");
      const long = start + "x".repeat(bytes - Buffer.byteLength(start));
      const fits = bytes <= (process.platform === "darwin" ? 103 : 107);
      if (!fits) {
        expect(await problem(long)).toBe("path-too-long");
        await expect(listen(long)).rejects.toThrow(`${bytes} bytes`);
        expect(existsSync(dir)).toBe(false);
        return;
      }
      const listener = await listen(long);
      expect(await text(connect(long))).toBe("hello");
      expect(readdirSync(dir)).toContain(path.basename(long));
      await listener.close();
      expect(readdirSync(dir)).toEqual(["blitzd.lock.db"]);
    },
  );

  it.each(["s", "~", "blitz.sock~"])("works for a socket named %s", async (name) => {
    endpoint = path.join(dir, name);
    const listener = await listen();
    expect(await text(connect(endpoint))).toBe("hello");
    await listener.close();
    expect(readdirSync(dir)).toEqual(["blitzd.lock.db"]);
  });

  it("goes to exactly one of ten processes that start together (SVC-02, T-SVC-1)", async () => {
    const ten = Array.from({ length: 10 }, () =>
      startChild(`
        import { once } from "node:events";
        say("ready");
        await once(process.stdin.resume(), "end");
        let mine;
        try { mine = await openListener(endpoint, { onConnection }); say("won"); }
        catch (error) { say(error.kind); }
        setInterval(() => mine, 1_000);`),
    );
    await Promise.all(ten.map(said));
    for (const child of ten) child.stdin.end();
    const words = await Promise.all(ten.map(said));
    expect(words.toSorted()).toEqual([...Array<string>(9).fill("answering"), "won"]);
    expect(await text(connect(endpoint))).toBe("hello");
  });

  it.each([
    ["a relative path", "blitz.sock", "isn't an absolute path"],
    ["no path", "", "isn't an absolute path"],
    ["the root directory", "/blitz.sock", "a directory of its own"],
    ["a directory everybody shares", "SHARED", "a directory of its own"],
    ["a directory that can't be made", "FILE", "can't prepare"],
  ])("refuses %s", async (_name, at, message) => {
    const shared = path.join(root, "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    writeFileSync(path.join(root, "file"), "");
    const places: Readonly<Record<string, string>> = {
      SHARED: path.join(shared, "blitz.sock"),
      FILE: path.join(root, "file", "blitz.sock"),
    };
    const given = places[at] ?? at;
    expect(await problem(given)).toBe("failed");
    await expect(listen(given)).rejects.toThrow(message);
    expect([statSync(shared).mode & 0o7777, readdirSync(shared)]).toEqual([0o1777, []]);
  });
});

describe("Listener.close", () => {
  it("removes the socket, frees the endpoint and may be repeated (SVC-02)", async () => {
    const listener = await listen();
    const closed = listener.close();
    expect([existsSync(endpoint), listener.server.listening]).toEqual([false, false]); // before anyone waits
    await closed;
    await listener.close();
    expect(await problem()).toBeUndefined();
  });

  it("doesn't wait for open connections, which stay their owner's", async () => {
    const { promise: accepted, resolve } = Promise.withResolvers<Socket>();
    const listener = await openListener(endpoint, { onConnection: resolve });
    const client = connect(endpoint);
    const socket = await accepted;
    await listener.close();
    socket.end("goodbye");
    expect(await text(client)).toBe("goodbye");
    client.end();
  });

  it("leaves another service's socket alone", async () => {
    const first = await listen();
    rmSync(dir, { recursive: true });
    const second = await listen();
    await first.close();
    expect(await text(connect(endpoint))).toBe("hello");
    await second.close();
    expect(existsSync(endpoint)).toBe(false);
  });

  it("succeeds when its directory is gone", async () => {
    const listener = await listen();
    rmSync(dir, { recursive: true });
    await listener.close();
    expect(listener.server.listening).toBe(false);
  });
});
