// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { bodyOf, closeBody, createFetch } from "./shared-fetch.js";

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => (server.close(), server.closeAllConnections()) });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`, server };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe("createFetch (MDL-50)", () => {
  it("sends text with its length and headers, and reads the answer both ways", async () => {
    const { url } = await serve((request, response) => {
      response.setHeader("x-echo", String(request.headers["x-given"]));
      const head = `${request.method} ${request.headers["content-length"]}`;
      textOf(request).then(
        (text) => response.end(`${head} ${text}`),
        () => response.destroy(),
      );
    });
    const fetch = createFetch();
    const init = { method: "POST", body: "日本", headers: { "x-given": "1" } };
    const response = await fetch(url, init);
    expect([response.status, response.ok, response.headers.get("x-echo")]).toEqual([200, true, "1"]);
    expect(await response.text()).toBe("POST 6 日本");
    const raw: Uint8Array[] = [];
    for await (const chunk of bodyOf(await fetch(url, { ...init, body: Buffer.from("日本") }))) raw.push(chunk);
    expect(Buffer.concat(raw).toString()).toBe("POST 6 日本");
  });

  it("keeps the socket for the next call", async () => {
    const sockets = new Set<Socket>();
    const { url } = await serve((request, response) => {
      sockets.add(request.socket);
      response.end("ok");
    });
    const fetch = createFetch();
    for (let i = 0; i < 3; i++) await (await fetch(url)).text();
    expect(sockets.size).toBe(1);
  });

  it("asks again on a new connection when a kept socket was closed under it", async () => {
    let served = 0;
    const { url, server } = await serve((_request, response) => {
      served++;
      response.end("ok");
    });
    const fetch = createFetch();
    await (await fetch(url)).text();
    server.prependListener("request", (request: IncomingMessage) => {
      if (served === 1) request.socket.resetAndDestroy();
    });
    expect(await (await fetch(url, { method: "POST", body: "x" })).text()).toBe("ok");
  });

  it("doesn't follow redirects, so a key stays with its host", async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(302, { location: "http://127.0.0.1:1/" });
      response.end();
    });
    expect((await createFetch()(url)).status).toBe(302);
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("decodes %s, which gateways send unasked", async (coding, compress) => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": coding });
      response.end(compress("日本"));
    });
    expect(await (await createFetch()(url)).text()).toBe("日本");
  });

  it("fails with the signal's reason before headers and in the body", async () => {
    const { url } = await serve((request, response) => {
      if (request.url === "/body") response.write("part");
    });
    const fetch = createFetch();
    const before = new AbortController();
    const pending = fetch(url, { signal: before.signal });
    before.abort(new Error("no more"));
    await expect(pending).rejects.toThrow("no more");
    await expect(fetch(url, { signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow("too late");
    const during = new AbortController();
    const response = await fetch(new URL("/body", url), { signal: during.signal });
    const text = response.text();
    during.abort(new Error("stop"));
    await expect(text).rejects.toThrow("stop");
  });

  it("names the host it can't reach, as a plain error the SDKs retry", async () => {
    const { url, server } = await serve(() => {});
    await new Promise((resolve) => server.close(resolve));
    const error = await createFetch()(url).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(/can't reach 127\.0\.0\.1:\d+.*ECONNREFUSED/);
  });

  it("gives up when TLS isn't agreed in time", async () => {
    const silent = createTcpServer(() => {});
    await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
    open.push(silent);
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    await expect(createFetch({ tlsMs: 30 })(url)).rejects.toThrow(/no TLS within 30 ms/);
  });

  it.each([
    ["ftp://127.0.0.1/", {}],
    ["http://127.0.0.1:1/", { method: "POST", body: new FormData() }],
  ])("refuses what it isn't for: %s", async (url, init) => {
    await expect(createFetch()(url, init)).rejects.toThrow(/not an http address|text or bytes only/);
  });

  it("goes through the environment's proxy, except where it says not to (MDL-54)", async () => {
    const { url } = await serve((_request, response) => response.end("direct"));
    const proxy = await serve((request, response) => response.end(`by proxy: ${request.url}`));
    const HTTP_PROXY = new URL(proxy.url).origin;
    const through = createFetch({ proxyEnv: { HTTP_PROXY } });
    expect(await (await through(url)).text()).toBe(`by proxy: ${url}`);
    const past = createFetch({ proxyEnv: { HTTP_PROXY, NO_PROXY: "127.0.0.1" } });
    expect(await (await past(url)).text()).toBe("direct");
  });

  it("closes the connection of a body nobody reads on", async () => {
    const closed = Promise.withResolvers<void>();
    const { url } = await serve((_request, response) => {
      response.once("close", () => closed.resolve());
      response.write("part");
    });
    closeBody(await createFetch()(url));
    await closed.promise;
    expect((await createFetch()(new URL(url))).status).toBe(200);
  });
});
