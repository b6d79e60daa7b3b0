// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyHunks, parsePatch, unifiedDiff } from "./index.js";

const apply = (text: string, patch: string): string => {
  const parsed = parsePatch(patch);
  if (!parsed.ok) return `PARSE ${parsed.problem}`;
  const [file] = parsed.files;
  if (file?.op !== "update") return `OP ${file?.op}`;
  const result = applyHunks(text, file.hunks);
  return result.ok ? result.text : `MISS ${result.problem}`;
};
const marked = (body: string): string => `*** Begin Patch\n*** Update File: a\n${body}\n*** End Patch`;

describe("unifiedDiff", () => {
  it("shows a change with three lines of context (FS-66)", () => {
    expect(unifiedDiff("1\n2\n3\n4\n5\n", "1\n2\n3\n4\nfive\n", "d/x.txt")).toMatchInlineSnapshot(`
      "--- a/d/x.txt
      +++ b/d/x.txt
      @@ -2,4 +2,4 @@
       2
       3
       4
      -5
      +five
      "
    `);
  });

  it.each([
    ["a created file", undefined, "a\n", "--- /dev/null\n+++ b/x\n"],
    ["a deleted file", "a\n", undefined, "--- a/x\n+++ /dev/null\n"],
    ["a file without a final newline", "a", "b", "\\ No newline at end of file"],
    ["a binary file", "a\0", "b", "x: binary, 2 → 1 characters\n"],
  ])("shows %s", (_name, before, after, part) => {
    expect(unifiedDiff(before, after, "x")).toContain(part);
  });

  it("names sizes and the first change when a file is too large (FS-66, T-FS-2)", () => {
    expect(unifiedDiff("a\nb\nc", "a\nx\nc", "f", "f", { maxLength: 4, timeoutMs: 500 })).toBe(
      "f: too large to diff, 5 → 5 characters, first change in line 2\n",
    );
  });

  it("is applied back to the same text, whatever the texts (property)", () => {
    const line = fc.constantFrom("a", "b", "  a", "", "}", "x y", "日本語");
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
      .map(([lines, bare]) => lines.join("\n") + (bare || lines.length === 0 ? "" : "\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after && before !== "" && after !== "");
        expect(apply(before, unifiedDiff(before, after, "f"))).toBe(after);
      }),
      { numRuns: 400 },
    );
  });
});

describe("applyHunks", () => {
  const block = "begin\nsame\nend\n";
  const filler = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");
  const repeated = filler(20) + block + filler(77) + block + filler(77) + block;

  it("changes the occurrence nearest to where it is expected (T-EDIT-5)", () => {
    const patched = apply(repeated, "--- a/f\n+++ b/f\n@@ -98,3 +98,3 @@\n begin\n-same\n+SAME\n end\n");
    expect(patched.split("SAME")).toHaveLength(2);
    expect(patched.slice(0, patched.indexOf("SAME")).split("\n")).toHaveLength(102);
  });

  it("takes the block exactly where it is expected, also above the hunk before (T-EDIT-5)", () => {
    const hunk = (line: number, put: string): string =>
      `@@ -${line},3 +${line},4 @@\n begin\n-same\n+${put}\n+more\n end\n`;
    const patched = apply(
      repeated,
      `--- a/f\n+++ b/f\n${hunk(101, "SECOND")}${hunk(21, "FIRST")}${hunk(181, "THIRD")}`,
    );
    const lineOf = (word: string): number => patched.slice(0, patched.indexOf(word)).split("\n").length;
    // The first block's change moves the two below it by one line, and the second block's the third.
    expect(["FIRST", "SECOND", "THIRD"].map(lineOf)).toEqual([22, 103, 184]);
  });

  it("doesn't take a hunk for what the hunk before put there", () => {
    const patch = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -2 +2 @@\n-c\n+C\n";
    expect(apply("a\nb\nx\nc\n", patch)).toBe("a\nc\nx\nC\n");
  });

  it.each([
    ["exactly", "  a\n", " \u0020 a\n-  x", "MISS"],
    ["ignoring trailing blanks", "a  \nb\n", "@@\n a\n-b\n+c", "a  \nc\n"],
    ["ignoring surrounding blanks, keeping the file's own", "\ta\nb\n", "@@\n a\n-b\n+c", "\ta\nc\n"],
  ])("finds lines %s (FS-52)", (_name, text, body, result) => {
    expect(apply(text, marked(body))).toContain(result);
  });

  it.each([
    ["into an empty file", "", "--- a/f\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n", "a\nb\n"],
    [
      "with blank context lines that lost their space",
      "a\n\nb\n",
      "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n",
      "a\n\nc\n",
    ],
    [
      "in reverse order",
      "a\nb\nc\nd\n",
      "--- a/f\n+++ b/f\n@@ -4 +4 @@\n-d\n+D\n@@ -1 +1 @@\n-a\n+A\n",
      "A\nb\nc\nD\n",
    ],
    ["at a file's bare end, which stays bare", "a\nb", "@@\n-b\n+c", "a\nc"],
    [
      "adding a final newline on request",
      "a",
      "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
      "a\n",
    ],
    ["after an anchor", "x\nfn one\n  a\nfn two\n  a\n", "@@ fn two\n-  a\n+  b", "x\nfn one\n  a\nfn two\n  b\n"],
    ["a pure insertion after an anchor", "x\ny\n", "@@ x\n+new", "x\nnew\ny\n"],
    ["a pure insertion at the end", "x\n", "@@\n+new", "x\nnew\n"],
  ])("applies %s (T-EDIT-5)", (_name, text, patch, result) => {
    expect(apply(text, patch.startsWith("---") ? patch : marked(patch))).toBe(result);
  });

  it.each([
    ["CRLF", "one\r\ntwo\r\nthree\r\n", "@@\n one\n-two\n+2\n+3\n three", "one\r\n2\r\n3\r\nthree\r\n"],
    ["CRLF at a bare end", "one\r\ntwo", "@@\n two\n+three", "one\r\ntwo\r\nthree"],
    ["mixed, between two hunks", "a\r\nb\nc\r\nd\ne\r\n", "@@\n-a\n+A\n+AA\n@@\n-e\n+E", "A\r\nAA\r\nb\nc\r\nd\nE\r\n"],
    ["mixed, an insertion after an LF line", "a\r\nb\nc\r\n", "@@ b\n+new", "a\r\nb\nnew\nc\r\n"],
    ["mixed, an insertion before a CRLF line", "a\r\nb\n", "@@\n+new\n a", "new\r\na\r\nb\n"],
  ])("keeps line ends: %s (FS-103, T-EDIT-2)", (_name, text, body, result) => {
    expect(apply(text, marked(body))).toBe(result);
  });

  it("names the hunk and the lines it looked for (FS-52)", () => {
    expect(apply("a\n", marked("@@\n nowhere\n-x"))).toMatch(
      /MISS hunk 1 \(line 3 of the patch\): these lines were not found:\nnowhere\nx/,
    );
    expect(apply("a\n", marked("@@ gone\n-a"))).toMatch(/the line "gone" was not found/);
  });
});

describe("parsePatch", () => {
  it("reads adds, deletes and moves of the marked format", () => {
    const patch =
      "*** Begin Patch\n*** Add File: n.txt\n+one\n+\n*** Delete File: d.txt\n*** Update File: a.txt\n*** Move to: b.txt\n*** End of File\n*** End Patch";
    expect(parsePatch(patch)).toEqual({
      ok: true,
      files: [
        { op: "add", path: "n.txt", text: "one\n\n" },
        { op: "delete", path: "d.txt" },
        { op: "update", path: "a.txt", movedTo: "b.txt", hunks: [] },
      ],
    });
  });

  it("reads a git diff with prose, timestamps, /dev/null and a rename (FS-50)", () => {
    const patch =
      "Here it is:\ndiff --git a/o b/n\nsimilarity index 90%\n--- a/o\t2026-01-01\n+++ b/n\t2026-01-01\n@@ -1 +1 @@\n-x\n+y\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+z\n\\ No newline at end of file\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-w\n";
    expect(parsePatch(patch)).toMatchObject({
      ok: true,
      files: [
        { op: "update", path: "o", movedTo: "n" },
        { op: "add", path: "new", text: "z" },
        { op: "delete", path: "gone" },
      ],
    });
  });

  it("takes CRLF for LF", () => {
    expect(apply("two\n", marked("@@\r\n-two\r\n+TWO\r"))).toBe("TWO\n");
  });

  const unified = (...body: string[]): string => `--- a/f\n+++ b/f\n${body.join("\n")}\n`;

  it.each([
    [
      "low counts, the rest of the hunk",
      unified("@@ -1,2 +1,2 @@", " a", "-b", "+B", "-c", "+C"),
      "line 7: the hunk of line 3 has more",
    ],
    [
      "low counts, a line of context",
      unified("@@ -1,2 +1,2 @@", " a", "-b", "+B", " c"),
      "line 7: the hunk of line 3 has more",
    ],
    ["low counts of one side", unified("@@ -1 +1,2 @@", " a", "-b", "+B"), "line 5: the hunk of line 3 has more"],
    ["counts of zero", unified("@@ -0,0 +0,0 @@", "+a"), "line 4: the hunk of line 3 has more"],
    [
      "lines after a blank one",
      unified("@@ -1 +1 @@", "-a", "+A", "", " c", "-d"),
      "line 7: the hunk of line 3 has more",
    ],
    [
      "a later hunk without counts",
      unified("@@ -1 +1 @@", "-a", "+A", "@@", "-b", "+B"),
      "line 6: a hunk stands below",
    ],
    [
      "a hunk after prose",
      unified("@@ -1 +1 @@", "-a", "+A", "and then", "@@ -9 +9 @@", "-b", "+B"),
      "line 7: a hunk stands",
    ],
    ["a hunk without a file", "diff --git a/f b/f\n@@ -1 +1 @@\n-a\n+A\n", "line 2: a hunk stands below"],
    [
      "high counts before a hunk",
      unified("@@ -1,3 +1,3 @@", " a", "-b", "+B", "@@ -9 +9 @@", "-c", "+C"),
      "line 6: the hunk of line 3 ends here, 1 old and 1 new",
    ],
    [
      "high counts before a file",
      unified("@@ -1,5 +1,5 @@", "-b", "+B", "--- a/g", "+++ b/g", "@@ -1 +1 @@", "-c", "+C"),
      "line 5: the hunk of line 3 ends here, 4 old and 4 new",
    ],
    [
      "high counts at the end",
      unified("@@ -1,2 +1,3 @@", "-b", "+B"),
      "line 5: the hunk of line 3 ends here, 1 old and 2 new",
    ],
    [
      "old lines of a new file",
      "--- /dev/null\n+++ b/n\n@@ -1 +1 @@\n-a\n+A\n",
      "line 3: a hunk of a new file has only",
    ],
    [
      "a section after the end",
      "*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Delete File: b",
      "line 4: this stands after",
    ],
    [
      "a move of a deleted file",
      "*** Begin Patch\n*** Delete File: a\n*** Move to: b\n*** End Patch",
      "line 3: this doesn't go",
    ],
  ])("refuses a patch that would be applied in part: %s (FS-50)", (_name, patch, problem) => {
    expect(parsePatch(patch)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });

  it.each([
    ["a mailed patch's signature", unified("@@ -1 +1 @@", "-a", "+A", "-- ", "2.43.0", "")],
    ["prose after a blank line", unified("@@ -1 +1 @@", "-a", "+A", "", "Done.")],
    [
      "another file after a blank line",
      unified("@@ -1 +1 @@", "-a", "+A", "", "--- a/g", "+++ b/g", "@@ -1 +1 @@", "-a", "+A"),
    ],
    ["lines that look like a file's head", unified("@@ -1 +1 @@", "--- x", "+++ y", "@@ -3 +3 @@", "-a", "+A")],
  ])("reads a hunk followed by %s (FS-50)", (_name, patch) => {
    expect(parsePatch(patch)).toMatchObject({ ok: true });
  });

  it("reads a unified diff about a marked patch as what it is (FS-50)", () => {
    const patch = unified("@@ -1,2 +1,2 @@", " *** Begin Patch", "-*** End Patch", "+*** End of Patch");
    expect(apply("*** Begin Patch\n*** End Patch\n", patch)).toBe("*** Begin Patch\n*** End of Patch\n");
  });

  it("passes over blank lines between sections, and reads a second marked patch (FS-50)", () => {
    const patch =
      "Two:\n*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n\n\n*** Add File: n\n+one\n\n\n*** Delete File: d\n\n*** End Patch\n\n*** Begin Patch\n*** Update File: b\n-x\n+y\n\n*** End Patch\n";
    const hunk = {
      lines: [
        { op: "-", text: "x" },
        { op: "+", text: "y" },
      ],
    };
    expect(parsePatch(patch)).toMatchObject({
      ok: true,
      files: [
        { path: "a", hunks: [hunk] },
        { op: "add", path: "n", text: "one\n" },
        { op: "delete", path: "d" },
        { path: "b", hunks: [hunk] },
      ],
    });
  });

  it.each([
    ["nothing", "", "the patch changes no file"],
    ["a missing end", "*** Begin Patch\n*** Delete File: a", "*** End Patch is missing"],
    ["no operations", "*** Begin Patch\n*** End Patch", "the patch changes no file"],
    ["an update without hunks", marked(""), "no hunks"],
    ["prose in the marked format", "*** Begin Patch\nhello\n*** End Patch", 'line 2: expected "*** Add File:"'],
    [
      "an added line without +",
      "*** Begin Patch\n*** Add File: a\nx\n*** End Patch",
      "line 3: lines of an added file begin with +",
    ],
    ["a hunk line without a mark", marked("@@\nxyz"), 'line 4: a line of a hunk begins with " ", "-" or "+"'],
    ["a unified file without hunks", "--- a/f\n+++ b/f\n", "has no hunks"],
  ])("refuses %s, naming the line (FS-50)", (_name, patch, problem) => {
    expect(parsePatch(patch)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });
});
