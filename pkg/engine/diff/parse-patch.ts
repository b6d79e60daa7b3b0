// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A line of a hunk: kept, taken out or put in. */
export interface HunkLine {
  readonly op: " " | "-" | "+";
  readonly text: string;
}

/** A change of neighbouring lines. */
export interface Hunk {
  /** 1-based line of the old file it is expected at; a hint, not a rule. */
  readonly oldStart: number | undefined;
  /** A line to find first (`@@ <anchor>`). */
  readonly anchor: string | undefined;
  readonly lines: readonly HunkLine[];
  /** "\ No newline at end of file" stood after the last old, or the last new line. */
  readonly oldEndsBare: boolean;
  readonly newEndsBare: boolean;
  /** Line of the patch it begins on, 1-based. */
  readonly at: number;
}

/** What a patch does to one file. Paths are as written in it. */
export type FilePatch =
  | { readonly op: "add"; readonly path: string; readonly text: string }
  | { readonly op: "delete"; readonly path: string }
  | {
      readonly op: "update";
      readonly path: string;
      readonly movedTo: string | undefined;
      readonly hunks: readonly Hunk[];
    };

/** A patch, or where and why it can't be read (FS-50). */
export type ParsedPatch =
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  | { readonly ok: false; readonly problem: string };

class PatchProblem extends Error {}

const BEGIN: string = "*** Begin Patch";

/** Reads either format: a unified diff, or `*** Begin Patch` … `*** End Patch`. Which one begins first is it. */
export function parsePatch(patch: string): ParsedPatch {
  const lines = patch.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  const first = lines.findIndex(
    (line, at) => line.trim() === BEGIN || isFileHead(lines, at) || line.startsWith("diff --git "),
  );
  try {
    const files = lines[first]?.trim() === BEGIN ? parseMarked(lines, first + 1) : parseUnified(lines);
    if (files.length === 0) throw new PatchProblem("the patch changes no file");
    return { ok: true, files };
  } catch (error) {
    if (error instanceof PatchProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

function parseMarked(lines: readonly string[], first: number): FilePatch[] {
  const files: FilePatch[] = [];
  let at = first;
  for (;;) {
    const line = lines[at];
    if (line === undefined) throw new PatchProblem("line " + String(lines.length) + ": *** End Patch is missing");
    if (line.trim() === "*** End Patch") {
      const next = afterEnd(lines, at + 1);
      if (next === undefined) return files;
      at = next;
      continue;
    }
    const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line.trimEnd());
    if (header === null) {
      if (line.trim() !== "")
        throw new PatchProblem(`line ${at + 1}: expected "*** Add File:", "*** Update File:" or "*** Delete File:"`);
      at++;
      continue;
    }
    const [, op, path = ""] = header;
    const end = endOfSection(lines, at + 1);
    const body = lines.slice(at + 1, end);
    if (op === "Add") files.push({ op: "add", path: path.trim(), text: addedText(body, at + 2) });
    else if (op === "Delete") files.push(markedDelete(path.trim(), body, at + 2));
    else files.push(markedUpdate(path.trim(), body, at + 2));
    at = end;
  }
}

/** Where another marked patch goes on; prose may stand around it, but no section. */
function afterEnd(lines: readonly string[], from: number): number | undefined {
  const at = lines.findIndex((line, index) => index >= from && line.startsWith("*** "));
  if (at < 0) return undefined;
  if (lines[at]?.trim() === BEGIN) return at + 1;
  throw new PatchProblem(`line ${at + 1}: this stands after *** End Patch`);
}

function endOfSection(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && !/^\*\*\* (Add File|Update File|Delete File|End Patch)/.test(lines[at] ?? "")) at++;
  return at;
}

/** A section's lines without the blank ones that set it off from the next section. */
function withoutBlankEnd(body: readonly string[]): readonly string[] {
  return body.slice(0, body.findLastIndex((line) => line.trim() !== "" || line.startsWith(" ")) + 1);
}

function addedText(section: readonly string[], first: number): string {
  const body = section.slice(0, section.findLastIndex((line) => line.trim() !== "") + 1);
  const lines = body.map((line, at) => {
    if (line.startsWith("+")) return line.slice(1);
    throw new PatchProblem(`line ${first + at}: lines of an added file begin with +`);
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** The removed lines may follow; they aren't needed. */
function markedDelete(path: string, body: readonly string[], first: number): FilePatch {
  const wrong = body.findIndex((line) => line.startsWith("*** "));
  if (wrong >= 0) throw new PatchProblem(`line ${first + wrong}: this doesn't go with the deletion of ${path}`);
  return { op: "delete", path };
}

function markedUpdate(path: string, section: readonly string[], first: number): FilePatch {
  const body = withoutBlankEnd(section);
  let movedTo: string | undefined;
  const hunks: Hunk[] = [];
  let open: { anchor: string | undefined; lines: HunkLine[]; at: number } | undefined;
  const close = (): void => {
    if (open?.lines.some((line) => line.op !== " ") === true) {
      hunks.push({ ...open, oldStart: undefined, oldEndsBare: false, newEndsBare: false });
    }
  };
  for (const [at, line] of body.entries()) {
    const move = /^\*\*\* Move to: (.+)$/.exec(line);
    if (move !== null) movedTo = (move[1] ?? "").trim();
    else if (line.startsWith("@@")) {
      close();
      const anchor = line.slice(2).trim();
      open = { anchor: anchor === "" ? undefined : anchor, lines: [], at: first + at };
    } else if (line.startsWith("*** End of File")) continue;
    else {
      open ??= { anchor: undefined, lines: [], at: first + at };
      open.lines.push(hunkLine(line, first + at));
    }
  }
  close();
  if (hunks.length === 0 && movedTo === undefined)
    throw new PatchProblem(`line ${first - 1}: the update of ${path} has no hunks and no move`);
  return { op: "update", path, movedTo, hunks };
}

function hunkLine(line: string, at: number): HunkLine {
  const op = line.charAt(0);
  if (op === " " || op === "-" || op === "+") return { op, text: line.slice(1) };
  if (line === "") return { op: " ", text: "" }; // a blank context line that lost its space
  throw new PatchProblem(`line ${at}: a line of a hunk begins with " ", "-" or "+"`);
}

/** Whether a file's part of a unified diff begins on a line. */
function isFileHead(lines: readonly string[], at: number): boolean {
  return lines[at]?.startsWith("--- ") === true && lines[at + 1]?.startsWith("+++ ") === true;
}

function parseUnified(lines: readonly string[]): FilePatch[] {
  const files: FilePatch[] = [];
  let at = 0;
  while (at < lines.length) {
    if (!isFileHead(lines, at)) {
      // Git's metadata and prose are passed over; a hunk never is.
      if (lines[at]?.startsWith("@@") === true)
        throw new PatchProblem(
          `line ${at + 1}: a hunk stands below "--- a/file" and "+++ b/file" and begins with "@@ -a,b +c,d @@"`,
        );
      at++;
      continue;
    }
    const [oldPath, newPath] = [pathOf(lines[at] ?? ""), pathOf(lines[at + 1] ?? "")];
    const { hunks, next } = unifiedHunks(lines, at + 2);
    files.push(unifiedFile(oldPath, newPath, hunks, at + 1));
    at = next;
  }
  return files;
}

/** The path of a `---` or `+++` line; `undefined` for /dev/null. */
function pathOf(line: string): string | undefined {
  const path = (line.slice(4).split("\t")[0] ?? "").trim();
  if (path === "/dev/null") return undefined;
  return path.replace(/^[ab]\//, "");
}

function unifiedFile(
  oldPath: string | undefined,
  newPath: string | undefined,
  hunks: readonly Hunk[],
  at: number,
): FilePatch {
  if (oldPath === undefined && newPath === undefined) throw new PatchProblem(`line ${at}: both sides are /dev/null`);
  if (oldPath === undefined) {
    const wrong = hunks.find((hunk) => hunk.lines.some((line) => line.op !== "+"));
    if (wrong !== undefined) throw new PatchProblem(`line ${wrong.at}: a hunk of a new file has only lines with +`);
    const added = hunks.flatMap((hunk) => hunk.lines.filter((line) => line.op === "+").map((line) => line.text));
    const bare = hunks.at(-1)?.newEndsBare === true;
    return { op: "add", path: newPath ?? "", text: added.length === 0 ? "" : `${added.join("\n")}${bare ? "" : "\n"}` };
  }
  if (newPath === undefined) return { op: "delete", path: oldPath };
  const movedTo = newPath === oldPath ? undefined : newPath;
  if (hunks.length === 0 && movedTo === undefined)
    throw new PatchProblem(`line ${at}: ${oldPath} has no hunks ("@@ -a,b +c,d @@")`);
  return { op: "update", path: oldPath, movedTo, hunks };
}

const HUNK_HEAD: RegExp = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

function unifiedHunks(lines: readonly string[], from: number): { readonly hunks: Hunk[]; readonly next: number } {
  const hunks: Hunk[] = [];
  let at = from;
  for (let head = HUNK_HEAD.exec(lines[at] ?? ""); head !== null; head = HUNK_HEAD.exec(lines[at] ?? "")) {
    const { hunk, next } = unifiedHunk(lines, at, head);
    hunks.push(hunk);
    at = next;
  }
  return { hunks, next: at };
}

/** One hunk, exactly as long as it says: lines beyond it would be lost, and lines missing mean it was cut off. */
function unifiedHunk(
  lines: readonly string[],
  begin: number,
  head: RegExpExecArray,
): { readonly hunk: Hunk; readonly next: number } {
  let oldLeft = Number(head[2] ?? 1);
  let newLeft = Number(head[4] ?? 1);
  const body: HunkLine[] = [];
  let [oldEndsBare, newEndsBare] = [false, false];
  let at = begin + 1;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith("\\")) {
      const last = body.at(-1)?.op;
      oldEndsBare ||= last !== "+";
      newEndsBare ||= last !== "-";
      continue;
    }
    if (oldLeft <= 0 && newLeft <= 0) break;
    if (
      line.startsWith("@@") ||
      (isFileHead(lines, at) && HUNK_HEAD.test(lines[at + 2] ?? "") && oldLeft + newLeft > 2)
    )
      throw tooShort(begin, at, oldLeft, newLeft);
    const parsed = hunkLine(line, at + 1);
    if (parsed.op !== "+") oldLeft--;
    if (parsed.op !== "-") newLeft--;
    if (oldLeft < 0 || newLeft < 0) throw tooLong(begin, at);
    body.push(parsed);
  }
  if (oldLeft > 0 || newLeft > 0) throw tooShort(begin, at, oldLeft, newLeft);
  refuseLinesBeyond(lines, begin, at);
  const hunk = { oldStart: Number(head[1]), anchor: undefined, lines: body, oldEndsBare, newEndsBare, at: begin + 1 };
  return { hunk, next: at };
}

function tooLong(begin: number, at: number): PatchProblem {
  return new PatchProblem(
    `line ${at + 1}: the hunk of line ${begin + 1} has more lines than its "@@ -a,b +c,d @@" counts; correct the counts`,
  );
}

function tooShort(begin: number, at: number, oldLeft: number, newLeft: number): PatchProblem {
  const missing = `${Math.max(oldLeft, 0)} old and ${Math.max(newLeft, 0)} new line(s)`;
  return new PatchProblem(
    `line ${at}: the hunk of line ${begin + 1} ends here, ${missing} short of its "@@ -a,b +c,d @@" counts`,
  );
}

/** A line with a hunk's mark right after one, blank lines aside, belongs to it: the counts are too low. */
function refuseLinesBeyond(lines: readonly string[], begin: number, end: number): void {
  let at = end;
  while (lines[at] === "") at++;
  const line = lines[at] ?? "";
  if (!/^[ +-]/.test(line) || isFileHead(lines, at) || isSignature(lines, at)) return;
  throw tooLong(begin, at);
}

/** The end of a mailed patch: `-- ` and git's version. */
function isSignature(lines: readonly string[], at: number): boolean {
  return /^-- ?$/.test(lines[at] ?? "") && /^\d+\.\d+[\w.() -]*$/.test(lines[at + 1] ?? "");
}
