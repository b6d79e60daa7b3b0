// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { symlinkSync, utimesSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "@blitz/api";
import { beforeEach, describe, expect, it } from "vitest";
import { useFileBench } from "./testing/index.js";

const bench = useFileBench();
const { put, run } = bench;

describe("list_files", () => {
  it("lists sorted, hidden and blocked entries left out (FS-92, FS-14)", async () => {
    put("b.txt", "12");
    put("a/c.txt", "1");
    put(".hidden/x", "");
    put(".env", "");
    expect(await run("list_files", {})).toMatchObject({
      directory: ".",
      total_count: 2,
      files: [
        { path: "a", is_dir: true },
        { path: "b.txt", size_bytes: 2 },
      ],
    });
    expect(await run("list_files", { recursive: true, max_entries: 2 })).toMatchObject({
      total_count: 3,
      truncated: true,
    });
    expect((await run("list_files", { directory: "b.txt" }))["error"]).toContain("not a directory");
  });
});

describe("glob", () => {
  it("finds by pattern, newest first, without folders nobody named (FS-93, T-FS-1)", async () => {
    for (const [at, name] of ["src/a.ts", "src/deep/b.ts", "node_modules/m/c.ts", ".git/d.ts", "src/e.js"].entries()) {
      put(name, "");
      utimesSync(path.join(bench.ws, name), 1_000 + at, 1_000 + at);
    }
    symlinkSync(".", path.join(bench.ws, "loop"));
    expect(await run("glob", { pattern: "**/*.ts" })).toEqual({ files: ["src/deep/b.ts", "src/a.ts"], count: 2 });
    expect(await run("glob", { pattern: "**/*.{ts,js}", max_results: 1 })).toEqual({
      files: ["src/e.js"],
      count: 1,
      truncated: true,
    });
    expect(await run("glob", { pattern: "node_modules/**/*.ts" })).toMatchObject({ files: ["node_modules/m/c.ts"] });
    expect(await run("glob", { pattern: `**/${"*a".repeat(60)}b` })).toMatchObject({ count: 0 });
    expect(await run("glob", { pattern: "*.ts", path: "src" })).toMatchObject({ files: ["src/a.ts"] });
  });

  it("takes brackets for a class and for a name (FS-93)", async () => {
    for (const name of ["app/[id]/page.c", "app/x.h", "app/(group)/vendor"]) put(name, "");
    expect(await run("glob", { pattern: "app/[id]/*" })).toMatchObject({ files: ["app/[id]/page.c"] });
    expect(await run("glob", { pattern: "app/*.[ch]" })).toMatchObject({ files: ["app/x.h"] });
    expect(await run("glob", { pattern: "app/(group)/*" })).toMatchObject({ files: ["app/(group)/vendor"] });
  });

  it.each([
    ["", "empty"],
    ["/etc/*", "relative"],
    ["~/x", "relative"],
    ["../*", '".."'],
    ["{a,b", "unmatched {"],
    ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "more than 64"],
  ])("refuses the pattern %j (FS-93)", async (pattern, message) => {
    expect((await run("glob", { pattern }))["error"]).toContain(message);
  });
});

describe("grep", () => {
  it("finds the same with and without what lets it pass over files (FS-94)", async () => {
    put("a.txt", "one\nthe Needle here\r\n");
    put("b.txt", "nothing");
    put("utf16.txt", Buffer.from("\ufeff\u4e8c\u4e01", "utf16le"));
    put("sub/c.txt", `${"x\n".repeat(200_000)}a Needle\n`);
    const lines = async (args: JsonObject): Promise<unknown> => (await run("grep", args))["matches"];
    const both = [
      { file: "a.txt", line_number: 2, content: "the Needle here" },
      { file: "sub/c.txt", line_number: 200_001, content: "a Needle" },
    ];
    for (const args of [
      { query: "Needle" },
      { query: "nEEDLE", case_insensitive: true },
      { query: "Ne+dle", is_regex: true },
      { query: "(Needle)", is_regex: true },
      { query: "needle", is_regex: true, case_insensitive: true },
    ])
      expect([args, await lines(args)]).toEqual([args, both]);
    expect(await lines({ query: "\u4e01" })).toEqual([{ file: "utf16.txt", line_number: 1, content: "\u4e8c\u4e01" }]);
  });

  beforeEach(() => {
    put("a.txt", "Needle one\r\nnothing\n  needle two  \n");
    put("sub/b.txt", "a.c\nabc\n");
    put("node_modules/x.txt", "needle");
    put("bin", Buffer.from("needle\0"));
    put(".env", "needle CANARY");
  });

  it("finds a literal text, in order, trimmed (FS-94)", async () => {
    expect(await run("grep", { query: "needle" })).toEqual({
      matches: [{ file: "a.txt", line_number: 3, content: "needle two" }],
      total_matches: 1,
    });
    expect(await run("grep", { query: "NEEDLE", case_insensitive: true })).toMatchObject({ total_matches: 2 });
    expect(await run("grep", { query: "a.c" })).toMatchObject({ matches: [{ content: "a.c" }] });
    expect(await run("grep", { query: "a.c", is_regex: true })).toMatchObject({ total_matches: 2 });
    expect(await run("grep", { query: "needle", path: "a.txt", max_matches: 1 })).toMatchObject({
      total_matches: 1,
      truncated: true,
    });
  });

  it.each([
    ["", false, "empty"],
    ["(", true, "can't be used"],
  ])("refuses the query %j", async (query, is_regex, message) => {
    expect((await run("grep", { query, is_regex }))["error"]).toContain(message);
  });

  it.each(["(a+)+$", "^(a|aa)+$", "(.*a){20}"])("no pattern hangs it: %s (T-FS-2)", async (query) => {
    put("evil.txt", `${"a".repeat(35)}!\n`);
    expect(await run("grep", { query, is_regex: true, path: "evil.txt" })).not.toHaveProperty("error");
  });

  it("searches an endless line in pieces, resting between them (T-FS-2)", async () => {
    put("long.txt", `${`${"a".repeat(511)}b`.repeat(200)}needle42`);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const slow = await run("grep", { query: "(.*a){20}$", is_regex: true, path: "long.txt" });
    clearInterval(timer);
    const found = await run("grep", { query: "needle[0-9]+", is_regex: true, path: "long.txt" });
    expect([slow["total_matches"], found["total_matches"]]).toEqual([0, 1]);
    expect(ticks).toBeGreaterThan(2);
  });

  it("searches hidden files, not hidden folders (FS-94)", async () => {
    put(".eslintrc", "thimble");
    put(".cache/x", "thimble");
    expect((await run("grep", { query: "thimble" }))["matches"]).toMatchObject([{ file: ".eslintrc" }]);
  });

  it("cuts an endless line between characters (T-FS-2)", async () => {
    put("long.txt", `needle${"é".repeat(1_000_000)}`);
    const content = String(
      ((await run("grep", { query: "needle", path: "long.txt" }))["matches"] as { content: string }[])[0]?.content,
    );
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(500);
    expect(content).not.toContain("\ufffd");
  });
});
