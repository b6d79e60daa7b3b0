// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { writeFileSync } from "node:fs";
import path from "node:path";
import { type FakeProvider, startFakeProvider } from "@blitz/fakeprovider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratch, type Finished, type Scratch, startBlitz } from "./run-blitz.js";
import { call, reportOf } from "./scene.js";
import { startService, type TestService } from "./start-service.js";

let scratch: Scratch;
let fake: FakeProvider;
beforeEach(async () => {
  scratch = createScratch();
  fake = await startFakeProvider();
  scratch.configure("anthropic", fake.url);
});
afterEach(async () => {
  await fake.close();
  scratch[Symbol.dispose]();
  expect(fake.violations).toEqual([]);
});

const SCHEMA: string = JSON.stringify({
  type: "object",
  properties: { count: { type: "integer" } },
  required: ["count"],
  additionalProperties: false,
});
const usage = { input: 100, output: 10 };

const exec = (...args: readonly string[]): Promise<Finished> =>
  startBlitz(scratch, ["exec", "-c", scratch.cfg, "-d", scratch.ws, ...args]).done;
const report = async (...args: readonly string[]) =>
  reportOf(await exec("--output-format", "json", "--json-schema", SCHEMA, ...args));
const transcript = async (): Promise<string> =>
  (await startBlitz(scratch, ["sessions", "-c", scratch.cfg, "-d", scratch.ws]).done).stdout;

describe.each(["in this process", "in the service"])("--json-schema, %s (CLI-27)", (where) => {
  let service: TestService | undefined;
  beforeEach(async () => {
    service = where === "in the service" ? await startService(scratch) : undefined;
  });
  afterEach(async () => {
    await service?.[Symbol.asyncDispose]();
  });

  it("gives the answer's JSON as structured_result; the model alone sees the instruction", async () => {
    fake.script({ text: 'I counted.\n```json\n{"count":3}\n```', usage });
    expect(await report("count")).toMatchObject({
      exit_code: 0,
      result: 'I counted.\n```json\n{"count":3}\n```',
      structured_result: { count: 3 },
      usage: { model_calls: 1 },
    });
    expect(fake.requests[0]?.text).toMatch(/count\\n\\n.*JSON Schema/);
    expect(await transcript()).toMatch(/ {2}2 {2}count$/m);
  });

  it("asks once more with what is wrong; both calls count, the transcript keeps the prompt", async () => {
    fake.script({ text: '{"count":"many"}', usage }, { text: '{"count":7}', usage });
    expect(await report("count")).toMatchObject({
      exit_code: 0,
      result: '{"count":7}',
      structured_result: { count: 7 },
      usage: { model_calls: 2, input_tokens: 200, output_tokens: 20 },
    });
    expect(fake.requests[1]?.text).toMatch(/doesn't fit the JSON Schema: count: /);
    expect(await transcript()).toMatch(/ {2}3 {2}count$/m);
  });

  it("exits with 1 when it doesn't fit the second time either", async () => {
    fake.script({ text: "three", usage }, { text: '{"count":1,"more":2}', usage });
    const found = await report("count");
    expect(found).toMatchObject({
      exit_code: 1,
      result: '{"count":1,"more":2}',
      error: expect.stringContaining("more"),
      usage: { model_calls: 2 },
    });
    expect(found).not.toHaveProperty("structured_result");
    expect(fake.requests).toHaveLength(2);
  });

  it("changes nothing in its second try (read-only)", async () => {
    fake.script(
      { text: "three" },
      { parts: [call("create_file", { path: "a.txt", content: "x" })] },
      { text: '{"count":3}' },
    );
    const found = await report("--permission-mode", "accept-edits", "count");
    expect(found).toMatchObject({ exit_code: 0, structured_result: { count: 3 } });
    expect(found.tool_calls?.[0]?.result["error"]).toEqual(expect.any(String));
  });

  it("leaves what the first try changed to undo", async () => {
    fake.script(
      { parts: [call("create_file", { path: "a.txt", content: "x" })] },
      { text: "three" },
      { text: '{"count":3}' },
    );
    expect(await report("--permission-mode", "accept-edits", "count")).toMatchObject({ exit_code: 0 });
    const undo = await startBlitz(scratch, ["undo", "-c", scratch.cfg, "-d", scratch.ws]).done;
    expect(undo).toMatchObject({ code: 0, stdout: "Undone: count\n  restored a.txt\n" });
  });

  it("keeps the limits over both tries", async () => {
    fake.script({ text: "three", usage });
    expect(await report("--max-turns", "1", "count")).toMatchObject({ exit_code: 1, usage: { model_calls: 1 } });
    fake.script({ text: "three" }, { parts: [call("list_files", {})] });
    expect(await report("--max-turns", "2", "count")).toMatchObject({ exit_code: 3 });
    expect(fake.requests).toHaveLength(3);
  });

  it("prints that JSON alone as text, and says on standard error that it asks again", async () => {
    fake.script({ text: "Let me see: three." }, { text: 'So: {"count":3}' });
    const run = await exec("--json-schema", SCHEMA, "count");
    expect([run.code, run.stdout]).toEqual([0, '{"count":3}\n']);
    expect(run.stderr).toContain("asked for once more: there is no JSON in it");
  });

  it("holds for every prompt of a stream", async () => {
    fake.script({ text: '{"count":1}' }, { text: '{"count":2}' });
    const formats = ["--input-format", "stream-json", "--output-format", "stream-json"];
    const args = ["exec", "-c", scratch.cfg, "-d", scratch.ws, ...formats, "--json-schema", SCHEMA, "-p", "one"];
    const run = await startBlitz(scratch, args, { stdin: '{"type":"user","text":"two"}\n' }).done;
    const lines = run.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.flatMap((line) => (line["type"] === "result" ? [line["structured_result"]] : []))).toEqual([
      { count: 1 },
      { count: 2 },
    ]);
    expect(lines.filter((line) => line["type"] === "session")).toHaveLength(2);
  });
});

describe("--json-schema", () => {
  it("reads the schema from a file", async () => {
    writeFileSync(path.join(scratch.base, "s.json"), SCHEMA);
    fake.script({ text: '{"count":3}' });
    const run = await exec("--local", "--json-schema", "s.json", "count");
    expect([run.code, run.stdout]).toEqual([0, '{"count":3}\n']);
  });

  it.each([
    ["a schema that is none", ["--json-schema", '{"type":"strng"}', "go"], "--json-schema is no JSON Schema"],
    ["a file that isn't there", ["--json-schema", "none.json", "go"], "none.json"],
    ["--bg", ["--bg", "--json-schema", "{}", "go"], "--bg"],
  ])("refuses %s before anything is sent (CLI-06)", async (_name, args, message) => {
    const run = await exec(...args);
    expect([run.code, run.stdout, run.stderr]).toEqual([2, "", expect.stringContaining(message)]);
    expect(fake.requests).toEqual([]);
  });
});
