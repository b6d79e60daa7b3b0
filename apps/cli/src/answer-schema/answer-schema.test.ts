// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { UsageError } from "../usage-error.js";
import { loadAnswerSchema } from "./answer-schema.js";
import { findJson } from "./find-json.js";

describe("findJson", () => {
  it.each([
    ["the whole answer", ' {"a":1}\n', { a: 1 }],
    ["a whole answer that is no object", '"yes"', "yes"],
    ["a fenced block", 'Here it is:\n```json\n{"a":1}\n```\nDone.', { a: 1 }],
    ["a fenced block without a language, indented", "So:\n  ```\n  [1]\n  ```", [1]],
    ["the first block that is JSON", "```sh\nls\n```\nand\n```json\n[2]\n```", [2]],
    ["an object among words", 'The result {"a":{"b":"}"}} is right.', { a: { b: "}" } }],
    ["an array among words", "It is [1, 2].", [1, 2]],
    ["an object behind brackets that are none", 'See [below]: {"a":"\\"{"}', { a: '"{' }],
    ["an object behind an opening that never closes", 'a { b "c" and then {"a":1}', { a: 1 }],
    ["a block with three backticks in a string", '```json\n{"a":"x\\n```\\n"}\n```', { a: "x\n```\n" }],
  ])("takes %s (CLI-27)", (_name, answer, value) => {
    expect(findJson(answer)).toEqual({ value });
  });

  it.each([
    ["words", "no JSON at all"],
    ["nothing", ""],
    ["braces around words", "{not JSON}"],
    ["openings only", "[".repeat(100_000)],
  ])("finds nothing in %s", (_name, answer) => {
    expect(findJson(answer)).toBeUndefined();
  });
});

describe("loadAnswerSchema", () => {
  const load = (given: string) => loadAnswerSchema(given, "/nowhere");

  it("tells the model the schema, and says what doesn't fit in a line (CLI-27)", async () => {
    const schema = await load('{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}');
    expect(schema.instruction).toContain('"required":["n"]');
    expect(schema.check('{"n":1}')).toEqual({ value: { n: 1 } });
    expect(schema.check('{"n":"1"}')).toEqual({ problem: expect.stringMatching(/^n: .*"integer"/) });
    expect(schema.check("{}")).toEqual({ problem: expect.stringContaining('"n"') });
    expect(schema.check("none")).toEqual({ problem: "there is no JSON in it" });
  });

  it("reads a file, from the current directory", async () => {
    const dir = mkdtempSync(path.join(tmpdir(), "blitz-schema-"));
    writeFileSync(path.join(dir, "s.json"), '\ufeff{"type":"array"}');
    const schema = await loadAnswerSchema("s.json", dir);
    rmSync(dir, { recursive: true });
    expect(schema.check("[]")).toEqual({ value: [] });
  });

  it("follows references and takes an old draft's tuples", async () => {
    const list =
      '{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}}}}}';
    expect((await load(list)).check('{"next":{"next":1}}')).toHaveProperty("problem");
    const tuple =
      '{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":false}';
    expect((await load(tuple)).check('["a","b"]')).toHaveProperty("problem");
  });

  it.each([
    ["text that is no JSON", "{"],
    ["an array", '[{"type":"object"}]'],
    ["an unknown type", '{"type":"strng"}'],
    ["an unknown type deep inside", '{"properties":{"a":{"items":{"type":"strng"}}}}'],
    ["properties that are no schemas", '{"properties":["a"]}'],
    ["a pattern that is no regular expression", '{"pattern":"("}'],
    ["a reference to nothing", '{"properties":{"a":{"$ref":"#/$defs/none"}}}'],
    ["a reference to another place", '{"$ref":"https://example.com/schema.json"}'],
    ["a file that isn't there", "none.json"],
  ])("refuses %s (CLI-27)", async (_name, given) => {
    const problem = await load(given).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(UsageError);
    expect((problem as Error).message).toMatch(/^--json-schema is no JSON Schema: ./);
  });
});
