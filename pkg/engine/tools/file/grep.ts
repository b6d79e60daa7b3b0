// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { decodeText, type Files, type WalkEntry } from "../../files/index.js";
import type { Tool } from "../call/index.js";
import { errorOf, type FileToolsDeps } from "./edit.js";
import { isSkipped } from "./glob-pattern.js";

const LARGEST: number = 5 * 1024 * 1024;
const LONGEST_LINE: number = 500;
const AT_ONCE: number = 8;
const LIMIT_MS: number = 10_000;
/**
 * Characters of an endless line searched at once. There matches longer than the overlap may be missed,
 * and `^` and `$` hold at a piece's ends too.
 */
const PIECE: number = 4_096;
const OVERLAP: number = 512;
const REST_AFTER_MS: number = 20;

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
      const ignoreCase = args["case_insensitive"] === true;
      const finder = await finderOf(query, args["is_regex"] === true, ignoreCase);
      if (typeof finder === "string") return { error: finder };
      const most = Math.min(Math.max(1, typeof args["max_matches"] === "number" ? args["max_matches"] : 100), 500);
      const literal = args["is_regex"] === true || ignoreCase ? undefined : Buffer.from(query);
      const entries =
        (await files.stat(place.real))?.isFolder === true
          ? undefined
          : [{ name: "", real: place.real, kind: "file" as const }];
      return await search(files, entries ?? files.walk(place.real, (one) => !isSkipped(one.name), signal), {
        finder,
        literal,
        inPieces: args["is_regex"] === true,
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

interface Search {
  readonly finder: Finder;
  /** Looked for in the bytes first: most files hold no match. */
  readonly literal: Buffer | undefined;
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

/** Reads several files at once, but takes results in walk order, so the first N are always the same. */
async function search(files: Files, entries: AsyncIterable<WalkEntry> | Iterable<WalkEntry>, how: Search) {
  const matches: Match[] = [];
  const deadline = performance.now() + LIMIT_MS;
  let total = 0;
  let pending: Promise<readonly Match[]>[] = [];
  const take = async (): Promise<void> => {
    for (const found of await Promise.all(pending)) {
      total += found.length;
      matches.push(...found.slice(0, how.most - matches.length));
    }
    pending = [];
  };
  for await (const entry of entries) {
    if (entry.kind !== "file") continue;
    pending.push(inFile(files, entry, how, deadline));
    if (pending.length < AT_ONCE) continue;
    await take();
    if (matches.length >= how.most || performance.now() > deadline) break;
  }
  await take();
  const result = { matches, total_matches: total };
  if (performance.now() > deadline)
    return { error: `the search took over ${LIMIT_MS / 1000} s; give a smaller path`, ...result, truncated: true };
  return total > matches.length || matches.length >= how.most ? { ...result, truncated: true } : result;
}

async function inFile(
  files: Files,
  entry: WalkEntry,
  { finder, literal, inPieces, signal }: Search,
  deadline: number,
): Promise<readonly Match[]> {
  signal.throwIfAborted();
  const content = await files.readEntry(entry, LARGEST);
  if (!content.ok || content.bytes.subarray(0, 8_000).includes(0)) return [];
  if (literal !== undefined && content.bytes.indexOf(literal) < 0) return [];
  const decoded = decodeText(content.bytes, content.display);
  const found: Match[] = [];
  const lines = (decoded.ok ? decoded.text : content.bytes.toString("utf8")).split("\n");
  let rested = performance.now();
  for (const [at, raw] of lines.entries()) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    for (const piece of piecesOf(line, inPieces)) {
      if (performance.now() - rested > REST_AFTER_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        rested = performance.now();
        signal.throwIfAborted();
        if (rested > deadline) return found;
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
