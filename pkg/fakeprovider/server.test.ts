// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { startFakeProvider } from "./index.js";

const BODIES = {
  "/v1/messages": { model: "m", max_tokens: 10, messages: [{ role: "user", content: "hi" }] },
  "/v1/chat/completions": { model: "m", messages: [{ role: "user", content: "hi" }] },
  "/v1/responses": { model: "m", input: [{ role: "user", content: "hi" }] },
  "/v1beta/models/m:streamGenerateContent": { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
} as const;

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: "POST", body: JSON.stringify(body) });

describe("startFakeProvider", () => {
  it.each(Object.entries(BODIES))("answers %s with text and a call, streamed and whole", async (path, body) => {
    await using fake = await startFakeProvider();
    const answer = { text: "日本語 😀", parts: [{ type: "call", name: "read_file", args: { path: "a" } }] } as const;
    fake.script(answer, answer);
    const streamed = await (await post(fake.url + path, { ...body, stream: true })).text();
    expect(streamed).toContain("data: ");
    expect(streamed).toContain("read_file");
    const whole = await (await post(fake.url + path.replace("streamGenerate", "generate"), body)).json();
    expect(JSON.stringify(whole)).toContain("日本語 😀");
    expect(fake.violations).toEqual([]);
    expect(fake.requests.map((request) => request.wire)).toHaveLength(2);
  });

  it("says Done. when the script is empty, and refuses unknown paths", async () => {
    await using fake = await startFakeProvider({ without: ["responses"] });
    const path = "/v1/chat/completions";
    expect(await (await post(fake.url + path, BODIES[path])).text()).toContain("Done.");
    expect((await post(`${fake.url}/v1/nothing`, {})).status).toBe(404);
    expect((await post(`${fake.url}/v1/responses`, BODIES["/v1/responses"])).status).toBe(404);
    expect(fake.violations).toEqual([]);
  });

  it("lists its models in three forms", async () => {
    await using fake = await startFakeProvider({ models: ["a", "b"] });
    const texts = await Promise.all(
      ["/v1/models", "/api/tags", "/v1beta/models"].map(async (path) => (await fetch(fake.url + path)).text()),
    );
    expect(texts.every((text) => text.includes('"a"') || text.includes("models/a"))).toBe(true);
    expect(fake.requests).toEqual([]);
  });

  it("plays status, headers and raw pieces, and ends by a cut or a reset", async () => {
    await using fake = await startFakeProvider();
    const path = "/v1/chat/completions";
    fake.script({ status: 529, headers: { "retry-after": "2" }, body: { error: { message: "busy" } } });
    const busy = await post(fake.url + path, BODIES[path]);
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([529, "2"]);
    await busy.text();
    for (const end of ["cut", "reset"] as const) {
      fake.script({ pieces: ["data: {"], end });
      const broken = await post(fake.url + path, BODIES[path]);
      await expect(broken.text()).rejects.toThrow();
    }
    expect(fake.requests.at(-1)).toMatchObject({ method: "POST", path, wire: "chat" });
    expect(fake.requests.at(-1)?.bytes).toBe(JSON.stringify(BODIES[path]).length);
  });

  it("waits at its gates until the test opens them", async () => {
    await using fake = await startFakeProvider();
    const path = "/v1/chat/completions";
    const gate = Promise.withResolvers<void>();
    fake.script({ text: "late", holdBody: gate.promise });
    const response = await post(fake.url + path, BODIES[path]);
    expect(response.status).toBe(200);
    const text = response.text();
    gate.resolve();
    expect(await text).toContain("late");
    expect(await fake.requests[0]?.closed).toBe("finished");
  });

  it("makes an answer from the request", async () => {
    await using fake = await startFakeProvider();
    const path = "/v1/chat/completions";
    fake.script((request) => ({ text: `${request.bytes} bytes` }));
    expect(await (await post(fake.url + path, BODIES[path])).text()).toContain(
      `${JSON.stringify(BODIES[path]).length} bytes`,
    );
  });

  it("closes twice without harm", async () => {
    const fake = await startFakeProvider();
    await fake.close();
    await expect(fake.close()).resolves.toBeUndefined();
  });
});
