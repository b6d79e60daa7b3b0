// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  createPauses,
  decodeText,
  type FileContent,
  type Files,
  type Pauses,
  type WalkEntry,
} from "../../files/index.js";
import type { Tool } from "../call/index.js";
import { errorOf, type FileToolsDeps } from "./edit.js";
import { isSkipped } from "./glob-pattern.js";
import { requiredText } from "./required-text.js";

const LARGEST: number = 5 * 1024 * 1024;
const LONGEST_LINE: number = 500;
const LIMIT_MS: number = 10_000;
/**
 * Characters of an endless line searched at once. There matches longer than the overlap may be missed,
 * and `^` and `$` hold at a piece's ends too.
 */
const PIECE: number = 4_096;
const OVERLAP: number = 512;

/** Finds a match in a line; linear in the line's length, whatever the pattern. */
type Finder = (line: string) => boolean;

/** `grep`: lines holding a text or matching a regular expression, in walk order (FS-94). */
export function grepTool({ files }: FileToolsDeps): Tool {
  return {
    name: "grep",
    description: "Search files for a text, or with is_regex a regular expression (RE2), below a folder or in one file.",
    planAllowed: true,
    schema: {
      type: "object",
      properties: {
        query: { type: "string" },
        path: { type: "string" },
        is_regex: { type: "boolean" },
        case_insensitive: { type: "boolean" },
        max_matches: { type: "integer" },
      },
      required: ["query"],
      additionalProperties: false,
    },
    run: async (args, { signal }) => {
      const query = String(args["query"]);
      if (query === "") return { error: "the query is empty" };
      const place = await files.locate(typeof args["path"] === "string" ? args["path"] : ".");
      if (!place.ok) return errorOf(place);
      const about = await files.stat(place.real);
      if (about === undefined) return { error: `${place.display} does not exist` };
      if (!about.isFolder && !about.isFile) return { error: `${place.display} is neither a file nor a directory` };
      const ignoreCase = args["case_insensitive"] === true;
      const isRegex = args["is_regex"] === true;
      const finder = await finderOf(query, isRegex, ignoreCase);
      if (typeof finder === "string") return { error: finder };
      const most = Math.min(Math.max(1, typeof args["max_matches"] === "number" ? args["max_matches"] : 100), 500);
      const needed = ignoreCase ? undefined : isRegex ? requiredText(query) : query;
      const wanted = query.toLowerCase();
      const entries = about.isFolder ? undefined : [{ name: "", real: place.real, kind: "file" as const }];
      return await search(files, entries ?? files.walk(place.real, (one) => !isSkipped(one.name), signal), {
        finder,
        mayMatch: byteTest(needed),
        mayMatchText: ignoreCase && !isRegex ? (text) => text.toLowerCase().includes(wanted) : () => true,
        inPieces: isRegex,
        most,
        signal,
      });
    },
  };
}

/** A finder; or what is wrong with the expression. RE2 can't backtrack, so no expression hangs the engine (T-FS-2). */
async function finderOf(query: string, isRegex: boolean, ignoreCase: boolean): Promise<Finder | string> {
  if (!isRegex) {
    const wanted = ignoreCase ? query.toLowerCase() : query;
    return (line) => (ignoreCase ? line.toLowerCase() : line).includes(wanted);
  }
  const { RE2JS } = await import("re2js");
  try {
    const expression = RE2JS.compile(query, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return (line) => expression.matcher(line).find();
  } catch (error) {
    return `the expression can't be used: ${(error as Error).message}`;
  }
}

/** Whether a file's bytes can hold what is needed; of UTF-16 bytes say nothing. */
function byteTest(needed: string | undefined): (bytes: Buffer) => boolean {
  if (needed === undefined) return () => true;
  const literal = Buffer.from(needed);
  return (bytes) =>
    bytes.indexOf(literal) >= 0 || (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

interface Search {
  readonly finder: Finder;
  /** Told from its bytes: most files hold no match. */
  readonly mayMatch: (bytes: Buffer) => boolean;
  /** Told from its text, for what bytes can't tell. */
  readonly mayMatchText: (text: string) => boolean;
  /** Whether endless lines are searched piece by piece: for expressions. */
  readonly inPieces: boolean;
  readonly most: number;
  readonly signal: AbortSignal;
}

interface Match {
  readonly file: string;
  readonly line_number: number;
  readonly content: string;
}

/** Files are read one after the other in walk order, so the first N matches are always the same. */
async function search(files: Files, entries: AsyncIterable<WalkEntry> | Iterable<WalkEntry>, how: Search) {
  const matches: Match[] = [];
  const deadline = performance.now() + LIMIT_MS;
  const pauses = createPauses(how.signal);
  const reader = files.entryReader();
  let total = 0;
  try {
    for await (const entry of entries) {
      if (entry.kind !== "file") continue;
      const reading = reader.read(entry, LARGEST);
      const content = reading instanceof Promise ? await reading : reading;
      if (content.ok && !isBinary(content.bytes) && how.mayMatch(content.bytes)) {
        const found = await inFile(content, how, pauses, deadline);
        total += found.length;
        matches.push(...found.slice(0, how.most - matches.length));
      }
      const pause = pauses();
      if (pause !== undefined) await pause;
      if (matches.length >= how.most || performance.now() > deadline) break;
    }
  } finally {
    reader.close();
  }
  const result = { matches, total_matches: total };
  if (performance.now() > deadline)
    return { error: `the search took over ${LIMIT_MS / 1000} s; give a smaller path`, ...result, truncated: true };
  return total > matches.length || matches.length >= how.most ? { ...result, truncated: true } : result;
}

function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8_000).includes(0);
}

async function inFile(
  content: FileContent,
  { finder, mayMatchText, inPieces }: Search,
  pauses: Pauses,
  deadline: number,
): Promise<readonly Match[]> {
  const decoded = decodeText(content.bytes, content.display);
  const text = decoded.ok ? decoded.text : content.bytes.toString("utf8");
  if (!mayMatchText(text)) return [];
  const found: Match[] = [];
  for (const [at, raw] of text.split("\n").entries()) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    for (const piece of piecesOf(line, inPieces)) {
      const pause = pauses();
      if (pause !== undefined) {
        await pause;
        if (performance.now() > deadline) return found;
      }
      if (!finder(piece)) continue;
      found.push({ file: content.display, line_number: at + 1, content: shortened(line.trim()) });
      break;
    }
  }
  return found;
}

/**
 * A line as it is searched. An endless one is searched in overlapping pieces with rests between them: an
 * expression takes many steps for each character, and a whole such line would hold the event loop.
 */
function* piecesOf(line: string, inPieces: boolean): Generator<string> {
  if (!inPieces || line.length <= PIECE) {
    yield line;
    return;
  }
  for (let at = 0; at === 0 || at + OVERLAP < line.length; at += PIECE - OVERLAP) yield line.slice(at, at + PIECE);
}

/** At most 500 bytes, cut between characters. */
function shortened(line: string): string {
  if (line.length <= LONGEST_LINE / 4) return line;
  const bytes = Buffer.from(line);
  if (bytes.length <= LONGEST_LINE) return line;
  let end = LONGEST_LINE;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString("utf8");
}
