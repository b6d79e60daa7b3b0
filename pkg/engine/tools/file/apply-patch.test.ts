// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { useFileBench } from "./testing/index.js";

const bench = useFileBench();
const { get, put, run } = bench;

describe("apply_patch", () => {
  it("says why a patch that touches a control file always asks, and names the file (FS-102)", async () => {
    put("a.txt", "a\n");
    put(".envrc", "x\n");
    const patch =
      "*** Begin Patch\n*** Update File: a.txt\n-a\n+b\n*** Delete File: .envrc\n*** Add File: .mcp.json\n+{}\n*** End Patch";
    await run("apply_patch", { patch });
    expect(bench.asked[0]).toMatchObject({
      control: true,
      detail:
        "Apply patch to 3 files: a.txt, .envrc, .mcp.json — asks each time: .envrc: it is run or read by a shell or git; .mcp.json: it can make a program start others",
    });
    expect(bench.asked[0]?.key).toBeUndefined();
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
      existsSync(path.join(bench.ws, "gone.txt")),
      existsSync(path.join(bench.ws, "old.txt")),
    ]).toEqual(["one\nTWO $&\n", "new\n", "keep\n", false, false]);
    expect(bench.asked).toHaveLength(1);
    expect(bench.asked[0]?.actions).toEqual([
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
  ])("refuses %s: nothing changed, nobody bench.asked (FS-51, T-EDIT-4)", async (_name, sections, message) => {
    put("a.txt", "one\n");
    put("b.txt", "two\n");
    expect((await run("apply_patch", { patch: patch(...sections) }))["error"]).toContain(message);
    expect([get("a.txt"), get("b.txt"), bench.asked.length]).toEqual(["one\n", "two\n", 0]);
  });

  it("takes everything back when a later file can't be written (FS-54, T-EDIT-4)", async () => {
    put("a.txt", "one\n");
    put("b.txt", "two\n");
    bench.answer = () => {
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
    expect([get("a.txt"), get("b.txt"), existsSync(path.join(bench.ws, "n.txt"))]).toEqual([
      "one\n",
      "changed by hand\n",
      false,
    ]);
  });
});
