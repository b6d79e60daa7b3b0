// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { JsonObject } from "@blitz/api";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Files, openFiles } from "../../files/index.js";
import { mintGrant } from "../../grant/mint/index.js";
import type { AskedAction, CallContext, Tool } from "../call/index.js";
import { fileTools } from "./index.js";
import { requiredText } from "./required-text.js";

type Asked = AskedAction;

let ws: string;
let files: Files;
let tools: Map<string, Tool>;
let asked: Asked[];
let answer: (request: Asked) => boolean | Promise<boolean>;

beforeEach(async () => {
  ws = realpathSync(mkdtempSync(path.join(tmpdir(), "blitz-tools-")));
  files = await openFiles({
    roots: { workspace: ws, writable: [], readOnly: [] },
    blocked: [".env"],
    home: "/nowhere",
    maxFileBytes: 10_000_000,
  });
  tools = new Map(fileTools({ files, workspace: ws }).map((tool) => [tool.name, tool]));
  asked = [];
  answer = () => true;
});
afterEach(() => rmSync(ws, { recursive: true, force: true }));

const put = (name: string, content: string | Buffer): void => {
  mkdirSync(path.dirname(path.join(ws, name)), { recursive: true });
  writeFileSync(path.join(ws, name), content);
};
const get = (name: string): string => readFileSync(path.join(ws, name), "utf8");
const run = async (name: string, args: JsonObject): Promise<JsonObject> => {
  const context: CallContext = {
    sessionId: "s",
    turnId: "e-1",
    callId: "c",
    agent: "blitz",
    signal: new AbortController().signal,
    emit: () => undefined,
    approve: async (request) => {
      asked.push(request);
      return (await answer(request))
        ? { allowed: true, grant: mintGrant(request.actions) }
        : { allowed: false, why: "the user declined" };
    },
  };
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return await tool.run(args, context);
};

describe("read_file", () => {
  it.each([
    ["whole, its final newline a last empty line", {}, "   1: one\n   2: two\n   3: three\n   4: ", 4],
    ["a range", { start_line: 2, end_line: 2 }, "   2: two", 4],
    ["an end before its start as that line", { start_line: 3, end_line: 1 }, "   3: three", 4],
    ["a start past the end as the last line", { start_line: 99 }, "   4: ", 4],
  ])("shows %s (FS-91)", async (_name, range, content, total_lines) => {
    put("f.txt", "one\ntwo\nthree\n");
    expect(await run("read_file", { path: "f.txt", ...range })).toEqual({ path: "f.txt", content, total_lines });
  });

  it("hides a byte-order mark and carriage returns (T-EDIT-2)", async () => {
    put("b.txt", "\ufeffhello\r\nwörld\r\n");
    expect((await run("read_file", { path: "b.txt" }))["content"]).toBe("   1: hello\n   2: wörld\n   3: ");
  });

  it("reports a binary file and says when it replaced bytes (FS-91, FS-103)", async () => {
    put("bin", Buffer.from([0x7f, 0x45, 0, 1, 0xff]));
    put("latin", Buffer.from([0x61, 0xe9, 0x62]));
    expect((await run("read_file", { path: "bin" }))["error"]).toBe("bin is a binary file of 5 bytes");
    expect(await run("read_file", { path: "latin" })).toMatchObject({
      content: "   1: a\ufffdb",
      note: expect.stringContaining("U+FFFD"),
    });
  });

  it("cuts a huge file, and a huge line between characters (FS-91, T-FS-2)", async () => {
    put("long.txt", "é".repeat(400_000));
    put("many.txt", "x".repeat(99).concat("\n").repeat(9_000));
    const long = await run("read_file", { path: "long.txt" });
    const many = await run("read_file", { path: "many.txt" });
    expect(Buffer.byteLength(String(long["content"]))).toBeLessThanOrEqual(512 * 1024);
    expect(String(long["content"])).not.toContain("\ufffd");
    expect(many).toMatchObject({ truncated: true, note: expect.stringMatching(/start_line \d+/) });
  });

  it.each(["../x", ".env", "gone.txt", "."])("refuses %s as a value and asks nobody", async (name) => {
    put(".env", "KEY=CANARY");
    const result = await run("read_file", { path: name });
    expect(result["error"]).toEqual(expect.any(String));
    expect(JSON.stringify(result)).not.toContain("CANARY");
  });
});

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

describe("create_file", () => {
  it("asks with a diff, then writes (FS-40, FS-95)", async () => {
    expect(await run("create_file", { path: "d/n.txt", content: "é\n" })).toEqual({
      path: "d/n.txt",
      success: true,
      bytes_written: 3,
    });
    expect(asked[0]).toMatchObject({
      kind: "write_file",
      detail: "Create d/n.txt (3 bytes)",
      key: `write:${ws}`,
      actions: [{ kind: "write_file", target: "d/n.txt" }],
    });
    expect(asked[0]?.diff?.()).toContain("+++ b/d/n.txt");
  });

  it("leaves an existing file alone without overwrite, and keeps its mark with it (FS-95, FS-103)", async () => {
    put("f.txt", "\ufeffold\n");
    expect((await run("create_file", { path: "f.txt", content: "new\n" }))["error"]).toContain("exists");
    expect(asked).toEqual([]);
    await run("create_file", { path: "f.txt", content: "new\n", overwrite: true });
    expect(get("f.txt")).toBe("\ufeffnew\n");
  });

  it("writes nothing when it is declined, or the file appears while the question waits (FS-31)", async () => {
    answer = () => false;
    expect(await run("create_file", { path: "n.txt", content: "x" })).toEqual({ error: "the user declined" });
    answer = () => {
      put("n.txt", "theirs");
      return true;
    };
    expect((await run("create_file", { path: "n.txt", content: "x" }))["error"]).toContain(
      "changed since it was shown",
    );
    expect(get("n.txt")).toBe("theirs");
  });

  it("asks each time for a control file, with the reason (FS-102)", async () => {
    await run("create_file", { path: ".envrc", content: "x" });
    expect(asked[0]).toMatchObject({ control: true, detail: expect.stringContaining("asks each time") });
    expect(asked[0]).not.toHaveProperty("key");
  });

  it.each(["../out.txt", ".env", "."])("asks nobody about %s (FS-41)", async (name) => {
    expect((await run("create_file", { path: name, content: "x" }))["error"]).toEqual(expect.any(String));
    expect(asked).toEqual([]);
  });
});

describe("replace_in_file", () => {
  const DOLLARS = "x $$ $& $1 $` $' $<n> ${y}";

  it.each([
    ["once", 'log("done");\nnext\n', false, `${DOLLARS}\nnext\n`],
    ["everywhere", 'log("done");log("done");', true, DOLLARS + DOLLARS],
  ])("puts replacement text in literally, %s (T-EDIT-1)", async (_name, content, allow_multiple, result) => {
    put("a.txt", content);
    await run("replace_in_file", {
      path: "a.txt",
      target_content: 'log("done");',
      replacement_content: DOLLARS,
      allow_multiple,
    });
    expect(get("a.txt")).toBe(result);
  });

  it.each([
    ["CRLF, target with LF", "one\r\ntwo\r\nthree\r\n", "one\ntwo", "1\n2", "1\r\n2\r\nthree\r\n"],
    ["CRLF, one line for two", "one\r\ntwo\r\n", "two", "2\n3", "one\r\n2\r\n3\r\n"],
    ["mixed line ends", "a\r\nb\nc\r\n", "b", "B", "a\r\nB\nc\r\n"],
    ["mixed line ends across lines", "a\r\nb\nc\r\nd\n", "a\nb\nc", "1\n2", "1\r\n2\r\nd\n"],
    ["an LF line of a mixed file", "a\r\nb\nc\r\n", "b", "1\n2", "a\r\n1\n2\nc\r\n"],
    ["a line end at the target's start", "a\r\nb\r\n", "\nb", "\nB", "a\r\nB\r\n"],
    ["carriage returns meant literally", "a\nb\n", "a", "1\r\n2", "1\r\n2\nb\n"],
    ["no final newline", "a\nb", "b", "c", "a\nc"],
    ["a byte-order mark", "\ufeffhello\nwörld\n", "hello", "bye", "\ufeffbye\nwörld\n"],
  ])("changes only the bytes it replaces: %s (FS-103, T-EDIT-2)", async (_name, before, target, replacement, after) => {
    put("f.txt", before);
    expect(
      await run("replace_in_file", { path: "f.txt", target_content: target, replacement_content: replacement }),
    ).toMatchObject({ success: true });
    expect(get("f.txt")).toBe(after);
  });

  it("keeps mode and link (T-EDIT-3)", async () => {
    put("run.sh", "old");
    chmodSync(path.join(ws, "run.sh"), 0o755);
    symlinkSync("run.sh", path.join(ws, "link"));
    await run("replace_in_file", { path: "link", target_content: "old", replacement_content: "new" });
    expect(get("run.sh")).toBe("new");
    expect(statSync(path.join(ws, "run.sh")).mode & 0o777).toBe(0o755);
  });

  it.each([
    ["an empty target", "", "the text to find is empty"],
    ["no match", "zzz", "the text was not found"],
    ["several matches", "a", "occurs 2 times"],
  ])("refuses %s and asks nobody (FS-95)", async (_name, target, message) => {
    put("f.txt", "a a");
    expect(
      (await run("replace_in_file", { path: "f.txt", target_content: target, replacement_content: "x" }))["error"],
    ).toContain(message);
    expect(asked).toEqual([]);
  });

  it.each([
    ["ASCII far from the bytes that don't decode", "wörld one", "one", "1", "wörld 1"],
    ["ASCII for nothing", "caf\u00e9 one two", " two", "", "caf\u00e9 one"],
  ])("edits a file that doesn't decode bytewise: %s (FS-103)", async (_name, text, target, replacement, after) => {
    put("f.txt", Buffer.from(text, "latin1"));
    const edit = { path: "f.txt", target_content: target, replacement_content: replacement };
    expect(await run("replace_in_file", edit)).toMatchObject({ success: true });
    expect(readFileSync(path.join(ws, "f.txt")).equals(Buffer.from(after, "latin1"))).toBe(true);
  });

  it("puts UTF-8 into a file that doesn't decode only where it found UTF-8 (FS-103)", async () => {
    const start = Buffer.concat([Buffer.from("grün one "), Buffer.from([0xff])]);
    put("f.txt", start);
    const edit = (target_content: string): Promise<JsonObject> =>
      run("replace_in_file", { path: "f.txt", target_content, replacement_content: "weiß" });
    expect((await edit("one"))["error"]).toContain("only ASCII can be put into it");
    expect((await edit("gone"))["error"]).toEqual(expect.any(String));
    expect(asked).toEqual([]);
    expect(readFileSync(path.join(ws, "f.txt")).equals(start)).toBe(true);
    await edit("grün");
    expect(
      readFileSync(path.join(ws, "f.txt")).equals(Buffer.concat([Buffer.from("weiß one "), Buffer.from([0xff])])),
    ).toBe(true);
  });

  it("patches a file that doesn't decode, all other bytes as they were (FS-103)", async () => {
    put("f.txt", Buffer.from("\u00fc\r\none\r\n\u00e4", "latin1"));
    const update = (line: string): Promise<JsonObject> =>
      run("apply_patch", { patch: `*** Begin Patch\n*** Update File: f.txt\n@@\n-one\n+${line}\n*** End Patch` });
    expect((await update("é"))["error"]).toContain("only ASCII can be put into it");
    expect(await update("1")).toMatchObject({ success: true });
    expect(readFileSync(path.join(ws, "f.txt")).equals(Buffer.from("\u00fc\r\n1\r\n\u00e4", "latin1"))).toBe(true);
  });

  it("says when create_file replaces what isn't text, and writes plain UTF-8 (FS-103)", async () => {
    put("f.bin", Buffer.from([0xff, 0, 0xfe]));
    expect(await run("create_file", { path: "f.bin", content: "né", overwrite: true })).toMatchObject({
      success: true,
    });
    expect(asked[0]?.detail).toBe("Overwrite f.bin (3 bytes, replacing what isn't text)");
    expect(get("f.bin")).toBe("né");
  });

  it.each([
    ["create_file", { path: "n.txt", content: "a\ud800" }],
    ["replace_in_file", { path: "f.txt", target_content: "one", replacement_content: "\udc00" }],
    ["apply_patch", { patch: "*** Begin Patch\n*** Add File: n.txt\n+\ud800\n*** End Patch" }],
    ["apply_patch", { patch: "*** Begin Patch\n*** Update File: f.txt\n@@\n-one\n+\ud800\n*** End Patch" }],
  ])("%s refuses what no encoding can hold (FS-103)", async (tool, args) => {
    put("f.txt", "one\n");
    expect((await run(tool, args))["error"]).toContain("half a character");
    expect([get("f.txt"), existsSync(path.join(ws, "n.txt")), asked.length]).toEqual(["one\n", false, 0]);
  });

  it("keeps UTF-16, and reading says so (FS-103)", async () => {
    put("f.txt", Buffer.from("\ufeffhé\r\n", "utf16le"));
    expect(await run("read_file", { path: "f.txt" })).toMatchObject({
      content: "   1: hé\n   2: ",
      note: "the file is UTF-16; edits keep it so",
    });
    await run("replace_in_file", { path: "f.txt", target_content: "hé", replacement_content: "1\n2" });
    expect(readFileSync(path.join(ws, "f.txt")).equals(Buffer.from("\ufeff1\r\n2\r\n", "utf16le"))).toBe(true);
  });

  it("lands both of two parallel edits of one file (FS-30)", async () => {
    put("f.txt", "one two");
    const edit = (from: string, to: string) =>
      run("replace_in_file", { path: "f.txt", target_content: from, replacement_content: to });
    await Promise.all([edit("one", "1"), edit("two", "2")]);
    expect(get("f.txt")).toBe("1 2");
  });

  it("replaces every occurrence, whatever line ends each has (FS-95, FS-103)", async () => {
    put("f.txt", "x\r\ny\nx\ny\r\n");
    const edit = { path: "f.txt", target_content: "x\ny", replacement_content: "1\n2", allow_multiple: true };
    expect((await run("replace_in_file", edit))["replacements_count"]).toBe(2);
    expect(get("f.txt")).toBe("1\r\n2\n1\n2\r\n");
  });

  it("deletes the first occurrence of a snippet (FS-95)", async () => {
    put("f.txt", "a-b-a");
    expect(await run("delete_snippet", { path: "f.txt", snippet: "a" })).toEqual({ path: "f.txt", success: true });
    expect(get("f.txt")).toBe("-b-a");
  });
});

describe("delete_file", () => {
  it("asks with the removal, then deletes (FS-96)", async () => {
    put("f.txt", "bye\n");
    expect(await run("delete_file", { path: "f.txt" })).toEqual({ path: "f.txt", success: true });
    expect(asked[0]).toMatchObject({
      kind: "delete_file",
      key: `delete:${ws}`,
      actions: [{ kind: "delete_file", target: "f.txt" }],
    });
    expect(asked[0]?.diff?.()).toContain("-bye");
    expect(existsSync(path.join(ws, "f.txt"))).toBe(false);
  });

  it.each([
    ["a file", "real.txt"],
    ["a folder", "dir"],
    ["nothing", "gone"],
  ])("removes a link to %s, not what it leads to, and asks about the link (FS-22, FS-96)", async (_name, target) => {
    put("real.txt", "real\n");
    put("dir/x", "x");
    symlinkSync(target, path.join(ws, "link"));
    expect(await run("delete_file", { path: "link" })).toEqual({ path: "link", success: true });
    expect(asked[0]).toMatchObject({
      detail: `Delete the link link (to ${target}, which stays)`,
      actions: [{ kind: "delete_file", target: "link" }],
    });
    expect(asked[0]?.diff?.()).toBe(`link: link to ${target}\n`);
    expect([existsSync(path.join(ws, "link")), get("real.txt"), get("dir/x")]).toEqual([false, "real\n", "x"]);
  });

  it("leaves a link that was declined, and one that leads out without asking (T-EDIT-6)", async () => {
    put("real.txt", "real\n");
    symlinkSync("real.txt", path.join(ws, "link"));
    symlinkSync("/etc/hostname", path.join(ws, "out"));
    answer = () => false;
    expect(await run("delete_file", { path: "link" })).toEqual({ error: "the user declined" });
    expect((await run("delete_file", { path: "out" }))["error"]).toContain("OUTSIDE_WORKSPACE");
    expect([
      asked.length,
      lstatSync(path.join(ws, "link")).isSymbolicLink(),
      lstatSync(path.join(ws, "out")).isSymbolicLink(),
    ]).toEqual([1, true, true]);
  });

  it.each(["gone.txt", "dir"])("refuses %s", async (name) => {
    mkdirSync(path.join(ws, "dir"));
    expect((await run("delete_file", { path: name }))["error"]).toEqual(expect.any(String));
  });
});

describe("a path that isn't there", () => {
  it.each([
    ["glob", { pattern: "**/*" }, "gone", "gone does not exist"],
    ["grep", { query: "x" }, "gone", "gone does not exist"],
    ["list_files", {}, "gone", "gone does not exist"],
    ["glob", { pattern: "**/*" }, "f.txt", "f.txt is not a directory"],
    ["list_files", {}, "f.txt", "f.txt is not a directory"],
    ["grep", { query: "x" }, "pipe", "pipe is neither a file nor a directory"],
  ])("%s %j in %s is an error, not an empty success", async (tool, args, name, error) => {
    put("f.txt", "x");
    execFileSync("mkfifo", [path.join(ws, "pipe")]);
    expect(await run(tool, { ...args, path: name, directory: name })).toEqual({ error });
  });
});

describe("glob", () => {
  it("finds by pattern, newest first, without folders nobody named (FS-93, T-FS-1)", async () => {
    for (const [at, name] of ["src/a.ts", "src/deep/b.ts", "node_modules/m/c.ts", ".git/d.ts", "src/e.js"].entries()) {
      put(name, "");
      utimesSync(path.join(ws, name), 1_000 + at, 1_000 + at);
    }
    symlinkSync(".", path.join(ws, "loop"));
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

describe("requiredText", () => {
  it.each([
    ["NEEDLE h.re", "NEEDLE h"],
    ["function\\s+foo", "function"],
    ["\\bfoo\\.bar\\b", "foo.bar"],
    ["colou?r", "colo"],
    ["ab{2}c", "a"],
    ["ab*cd+e", "cd"],
    ["^import .* from$", "import "],
    ["x*", undefined],
    ["a|b", undefined],
    ["(?i)abc", undefined],
    ["[ab]c", undefined],
    ["\\x41bc", undefined],
    ["\\Qa.b\\E", undefined],
    ["a{b", undefined],
    ["été", "t"],
  ])("of %s is %s", (expression, text) => expect(requiredText(expression)).toBe(text));

  it("is in every match of plain expressions (property)", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      "ab",
      ".",
      "a*",
      "b?",
      "a+",
      "b{2}",
      "a{0,1}",
      "^",
      "$",
      "\\.",
      "\\w",
      "\\b",
      "-",
    );
    const expression = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(expression, fc.stringMatching(/^[ab.-]{0,8}$/), (pattern, text) => {
        const needed = requiredText(pattern);
        fc.pre(needed !== undefined && RE2JS.compile(pattern).matcher(text).find());
        expect(text).toContain(needed);
      }),
    );
  });
});

describe("apply_patch", () => {
  it("says why a patch that touches a control file always asks, and names the file (FS-102)", async () => {
    put("a.txt", "a\n");
    put(".envrc", "x\n");
    const patch =
      "*** Begin Patch\n*** Update File: a.txt\n-a\n+b\n*** Delete File: .envrc\n*** Add File: .mcp.json\n+{}\n*** End Patch";
    await run("apply_patch", { patch });
    expect(asked[0]).toMatchObject({
      control: true,
      detail:
        "Apply patch to 3 files: a.txt, .envrc, .mcp.json — asks each time: .envrc: it is run or read by a shell or git; .mcp.json: it can make a program start others",
    });
    expect(asked[0]?.key).toBeUndefined();
  });

  const patch = (...sections: readonly string[]): string =>
    ["*** Begin Patch", ...sections, "*** End Patch"].join("\n");

  it("changes several files with one question (FS-53)", async () => {
    put("a.txt", "one\ntwo\n");
    put("gone.txt", "x\n");
    put("old.txt", "keep\n");
    const result = await run("apply_patch", {
      patch: patch(
        "*** Update File: a.txt",
        "@@",
        "-two",
        "+TWO $&",
        "*** Add File: n.txt",
        "+new",
        "*** Delete File: gone.txt",
        "*** Update File: old.txt",
        "*** Move to: moved.txt",
      ),
    });
    expect(result).toEqual({
      success: true,
      files: [
        { path: "a.txt", op: "update", added: 1, removed: 1 },
        { path: "n.txt", op: "add", added: 1, removed: 0 },
        { path: "gone.txt", op: "delete", added: 0, removed: 1 },
        { path: "old.txt", op: "update", moved_to: "moved.txt", added: 0, removed: 0 },
      ],
    });
    expect([
      get("a.txt"),
      get("n.txt"),
      get("moved.txt"),
      existsSync(path.join(ws, "gone.txt")),
      existsSync(path.join(ws, "old.txt")),
    ]).toEqual(["one\nTWO $&\n", "new\n", "keep\n", false, false]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.actions).toEqual([
      { kind: "write_file", target: "a.txt" },
      { kind: "write_file", target: "n.txt" },
      { kind: "delete_file", target: "gone.txt" },
      { kind: "write_file", target: "moved.txt" },
      { kind: "delete_file", target: "old.txt" },
    ]);
  });

  it.each([
    ["CRLF", "one\r\ntwo\r\nthree\r\n", "one\r\nTWO\r\nthree\r\n"],
    ["mixed line ends", "one\r\ntwo\nthree\r\n", "one\r\nTWO\nthree\r\n"],
    ["no final newline", "one\ntwo\nthree", "one\nTWO\nthree"],
    ["a byte-order mark", "\ufeffone\ntwo\nthree\n", "\ufeffone\nTWO\nthree\n"],
  ])("touches only the line it changes: %s (FS-52, T-EDIT-2)", async (_name, before, after) => {
    put("f.txt", before);
    await run("apply_patch", { patch: patch("*** Update File: f.txt", "@@", "-two", "+TWO") });
    expect(get("f.txt")).toBe(after);
  });

  it.each([
    ["adding what exists", ["*** Add File: a.txt", "+x"], "a.txt exists already"],
    ["moving onto what exists", ["*** Update File: a.txt", "*** Move to: b.txt"], "b.txt exists already"],
    [
      "one file twice under two spellings",
      ["*** Update File: a.txt", "@@", "-one", "+1", "*** Delete File: ./a.txt"],
      "a.txt is named twice",
    ],
    ["updating what isn't there", ["*** Update File: zzz", "@@", "-one", "+1"], "zzz does not exist"],
    [
      "a hunk that doesn't fit, after one that does",
      ["*** Update File: a.txt", "@@", "-one", "+1", "*** Update File: b.txt", "@@", "-nowhere", "+x"],
      "not found",
    ],
    ["a path outside", ["*** Add File: ../x", "+x"], "OUTSIDE_WORKSPACE"],
  ])("refuses %s: nothing changed, nobody asked (FS-51, T-EDIT-4)", async (_name, sections, message) => {
    put("a.txt", "one\n");
    put("b.txt", "two\n");
    expect((await run("apply_patch", { patch: patch(...sections) }))["error"]).toContain(message);
    expect([get("a.txt"), get("b.txt"), asked.length]).toEqual(["one\n", "two\n", 0]);
  });

  it("takes everything back when a later file can't be written (FS-54, T-EDIT-4)", async () => {
    put("a.txt", "one\n");
    put("b.txt", "two\n");
    answer = () => {
      put("b.txt", "changed by hand\n");
      return true;
    };
    const result = await run("apply_patch", {
      patch: patch(
        "*** Update File: a.txt",
        "@@",
        "-one",
        "+1",
        "*** Add File: n.txt",
        "+x",
        "*** Update File: b.txt",
        "@@",
        "-two",
        "+2",
      ),
    });
    expect(result["error"]).toContain("no file was changed");
    expect([get("a.txt"), get("b.txt"), existsSync(path.join(ws, "n.txt"))]).toEqual([
      "one\n",
      "changed by hand\n",
      false,
    ]);
  });
});

describe("the tools", () => {
  it("are declared in little: names, descriptions and schemas under 4 KB", () => {
    expect(
      JSON.stringify([...tools.values()].map(({ name, description, schema }) => ({ name, description, schema })))
        .length,
    ).toBeLessThan(4_096);
  });
});
