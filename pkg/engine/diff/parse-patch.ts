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

/** Reads either format: a unified diff, or `*** Begin Patch` … `*** End Patch`. */
export function parsePatch(patch: string): ParsedPatch {
  const lines = patch.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  const begin = lines.findIndex((line) => line.trim() === "*** Begin Patch");
  try {
    const files = begin >= 0 ? parseMarked(lines, begin + 1) : parseUnified(lines);
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
    if (line.trim() === "*** End Patch") return files;
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
    else if (op === "Delete") files.push({ op: "delete", path: path.trim() });
    else files.push(markedUpdate(path.trim(), body, at + 2));
    at = end;
  }
}

function endOfSection(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && !/^\*\*\* (Add File|Update File|Delete File|End Patch)/.test(lines[at] ?? "")) at++;
  return at;
}

function addedText(body: readonly string[], first: number): string {
  const lines = body.map((line, at) => {
    if (line.startsWith("+")) return line.slice(1);
    if (line.trim() === "" && at === body.length - 1) return undefined;
    throw new PatchProblem(`line ${first + at}: lines of an added file begin with +`);
  });
  return lines
    .filter((line) => line !== undefined)
    .map((line) => `${line}\n`)
    .join("");
}

function markedUpdate(path: string, body: readonly string[], first: number): FilePatch {
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

function parseUnified(lines: readonly string[]): FilePatch[] {
  const files: FilePatch[] = [];
  let at = 0;
  while (at < lines.length) {
    if (!(lines[at]?.startsWith("--- ") === true && lines[at + 1]?.startsWith("+++ ") === true)) {
      at++; // git's metadata and prose between files
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
    const begin = at;
    let oldLeft = Number(head[2] ?? 1);
    let newLeft = Number(head[4] ?? 1);
    const body: HunkLine[] = [];
    let [oldEndsBare, newEndsBare] = [false, false];
    at++;
    for (; at < lines.length; at++) {
      const line = lines[at] ?? "";
      if (line.startsWith("\\")) {
        const last = body.at(-1)?.op;
        oldEndsBare ||= last !== "+";
        newEndsBare ||= last !== "-";
        continue;
      }
      if (oldLeft <= 0 && newLeft <= 0) break;
      const parsed = hunkLine(line, at + 1);
      if (parsed.op !== "+") oldLeft--;
      if (parsed.op !== "-") newLeft--;
      body.push(parsed);
    }
    hunks.push({ oldStart: Number(head[1]), anchor: undefined, lines: body, oldEndsBare, newEndsBare, at: begin + 1 });
  }
  return { hunks, next: at };
}
