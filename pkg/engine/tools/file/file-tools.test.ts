// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "@blitz/api";
import { describe, expect, it } from "vitest";
import { useFileBench } from "./testing/index.js";

const bench = useFileBench();
const { get, put, run } = bench;

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

describe("create_file", () => {
  it("asks with a diff, then writes (FS-40, FS-95)", async () => {
    expect(await run("create_file", { path: "d/n.txt", content: "é\n" })).toEqual({
      path: "d/n.txt",
      success: true,
      bytes_written: 3,
    });
    expect(bench.asked[0]).toMatchObject({
      kind: "write_file",
      detail: "Create d/n.txt (3 bytes)",
      key: `write:${bench.ws}`,
      actions: [{ kind: "write_file", target: "d/n.txt" }],
    });
    expect(bench.asked[0]?.diff?.()).toContain("+++ b/d/n.txt");
  });

  it("leaves an existing file alone without overwrite, and keeps its mark with it (FS-95, FS-103)", async () => {
    put("f.txt", "\ufeffold\n");
    expect((await run("create_file", { path: "f.txt", content: "new\n" }))["error"]).toContain("exists");
    expect(bench.asked).toEqual([]);
    await run("create_file", { path: "f.txt", content: "new\n", overwrite: true });
    expect(get("f.txt")).toBe("\ufeffnew\n");
  });

  it("writes nothing when it is declined, or the file appears while the question waits (FS-31)", async () => {
    bench.answer = () => false;
    expect(await run("create_file", { path: "n.txt", content: "x" })).toEqual({ error: "the user declined" });
    bench.answer = () => {
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
    expect(bench.asked[0]).toMatchObject({ control: true, detail: expect.stringContaining("asks each time") });
    expect(bench.asked[0]).not.toHaveProperty("key");
  });

  it.each(["../out.txt", ".env", "."])("asks nobody about %s (FS-41)", async (name) => {
    expect((await run("create_file", { path: name, content: "x" }))["error"]).toEqual(expect.any(String));
    expect(bench.asked).toEqual([]);
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
    chmodSync(path.join(bench.ws, "run.sh"), 0o755);
    symlinkSync("run.sh", path.join(bench.ws, "link"));
    await run("replace_in_file", { path: "link", target_content: "old", replacement_content: "new" });
    expect(get("run.sh")).toBe("new");
    expect(statSync(path.join(bench.ws, "run.sh")).mode & 0o777).toBe(0o755);
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
    expect(bench.asked).toEqual([]);
  });

  it.each([
    ["ASCII far from the bytes that don't decode", "wörld one", "one", "1", "wörld 1"],
    ["ASCII for nothing", "caf\u00e9 one two", " two", "", "caf\u00e9 one"],
  ])("edits a file that doesn't decode bytewise: %s (FS-103)", async (_name, text, target, replacement, after) => {
    put("f.txt", Buffer.from(text, "latin1"));
    const edit = { path: "f.txt", target_content: target, replacement_content: replacement };
    expect(await run("replace_in_file", edit)).toMatchObject({ success: true });
    expect(readFileSync(path.join(bench.ws, "f.txt")).equals(Buffer.from(after, "latin1"))).toBe(true);
  });

  it("puts UTF-8 into a file that doesn't decode only where it found UTF-8 (FS-103)", async () => {
    const start = Buffer.concat([Buffer.from("grün one "), Buffer.from([0xff])]);
    put("f.txt", start);
    const edit = (target_content: string): Promise<JsonObject> =>
      run("replace_in_file", { path: "f.txt", target_content, replacement_content: "weiß" });
    expect((await edit("one"))["error"]).toContain("only ASCII can be put into it");
    expect((await edit("gone"))["error"]).toEqual(expect.any(String));
    expect(bench.asked).toEqual([]);
    expect(readFileSync(path.join(bench.ws, "f.txt")).equals(start)).toBe(true);
    await edit("grün");
    expect(
      readFileSync(path.join(bench.ws, "f.txt")).equals(Buffer.concat([Buffer.from("weiß one "), Buffer.from([0xff])])),
    ).toBe(true);
  });

  it("patches a file that doesn't decode, all other bytes as they were (FS-103)", async () => {
    put("f.txt", Buffer.from("\u00fc\r\none\r\n\u00e4", "latin1"));
    const update = (line: string): Promise<JsonObject> =>
      run("apply_patch", { patch: `*** Begin Patch\n*** Update File: f.txt\n@@\n-one\n+${line}\n*** End Patch` });
    expect((await update("é"))["error"]).toContain("only ASCII can be put into it");
    expect(await update("1")).toMatchObject({ success: true });
    expect(readFileSync(path.join(bench.ws, "f.txt")).equals(Buffer.from("\u00fc\r\n1\r\n\u00e4", "latin1"))).toBe(
      true,
    );
  });

  it("says when create_file replaces what isn't text, and writes plain UTF-8 (FS-103)", async () => {
    put("f.bin", Buffer.from([0xff, 0, 0xfe]));
    expect(await run("create_file", { path: "f.bin", content: "né", overwrite: true })).toMatchObject({
      success: true,
    });
    expect(bench.asked[0]?.detail).toBe("Overwrite f.bin (3 bytes, replacing what isn't text)");
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
    expect([get("f.txt"), existsSync(path.join(bench.ws, "n.txt")), bench.asked.length]).toEqual(["one\n", false, 0]);
  });

  it("keeps UTF-16, and reading says so (FS-103)", async () => {
    put("f.txt", Buffer.from("\ufeffhé\r\n", "utf16le"));
    expect(await run("read_file", { path: "f.txt" })).toMatchObject({
      content: "   1: hé\n   2: ",
      note: "the file is UTF-16; edits keep it so",
    });
    await run("replace_in_file", { path: "f.txt", target_content: "hé", replacement_content: "1\n2" });
    expect(readFileSync(path.join(bench.ws, "f.txt")).equals(Buffer.from("\ufeff1\r\n2\r\n", "utf16le"))).toBe(true);
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
    expect(bench.asked[0]).toMatchObject({
      kind: "delete_file",
      key: `delete:${bench.ws}`,
      actions: [{ kind: "delete_file", target: "f.txt" }],
    });
    expect(bench.asked[0]?.diff?.()).toContain("-bye");
    expect(existsSync(path.join(bench.ws, "f.txt"))).toBe(false);
  });

  it.each([
    ["a file", "real.txt"],
    ["a folder", "dir"],
    ["nothing", "gone"],
  ])("removes a link to %s, not what it leads to, and asks about the link (FS-22, FS-96)", async (_name, target) => {
    put("real.txt", "real\n");
    put("dir/x", "x");
    symlinkSync(target, path.join(bench.ws, "link"));
    expect(await run("delete_file", { path: "link" })).toEqual({ path: "link", success: true });
    expect(bench.asked[0]).toMatchObject({
      detail: `Delete the link link (to ${target}, which stays)`,
      actions: [{ kind: "delete_file", target: "link" }],
    });
    expect(bench.asked[0]?.diff?.()).toBe(`link: link to ${target}\n`);
    expect([existsSync(path.join(bench.ws, "link")), get("real.txt"), get("dir/x")]).toEqual([false, "real\n", "x"]);
  });

  it("leaves a link that was declined, and one that leads out without asking (T-EDIT-6)", async () => {
    put("real.txt", "real\n");
    symlinkSync("real.txt", path.join(bench.ws, "link"));
    symlinkSync("/etc/hostname", path.join(bench.ws, "out"));
    bench.answer = () => false;
    expect(await run("delete_file", { path: "link" })).toEqual({ error: "the user declined" });
    expect((await run("delete_file", { path: "out" }))["error"]).toContain("OUTSIDE_WORKSPACE");
    expect([
      bench.asked.length,
      lstatSync(path.join(bench.ws, "link")).isSymbolicLink(),
      lstatSync(path.join(bench.ws, "out")).isSymbolicLink(),
    ]).toEqual([1, true, true]);
  });

  it.each(["gone.txt", "dir"])("refuses %s", async (name) => {
    mkdirSync(path.join(bench.ws, "dir"));
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
    execFileSync("mkfifo", [path.join(bench.ws, "pipe")]);
    expect(await run(tool, { ...args, path: name, directory: name })).toEqual({ error });
  });
});

describe("the tools", () => {
  it("are declared in little: names, descriptions and schemas under 4 KB", () => {
    expect(
      JSON.stringify([...bench.tools.values()].map(({ name, description, schema }) => ({ name, description, schema })))
        .length,
    ).toBeLessThan(4_096);
  });
});
