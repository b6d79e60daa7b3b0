// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { unifiedDiff } from "../../diff/index.js";
import {
  decodeText,
  encodeText,
  type FileContent,
  type FileProblem,
  type Files,
  PLAIN_UTF8,
  type TextFormat,
  type WritablePlace,
} from "../../files/index.js";
import type { CallContext } from "../call/index.js";

/** What the file tools need. */
export interface FileToolsDeps {
  readonly files: Files;
  /** The workspace's canonical folder: part of remembered answers' keys. */
  readonly workspace: string;
}

/** A file as an edit sees it: `undefined` text means it isn't there. */
export interface Editable {
  readonly ok: true;
  readonly place: WritablePlace;
  readonly text: string | undefined;
  readonly content: FileContent | undefined;
  readonly units: TextUnits;
}

/** How a file's bytes are read as text, and text becomes bytes again, so that an edit changes nothing else (FS-103). */
export interface TextUnits {
  /** The file isn't text in a known encoding: each byte is one unit, and only bytes that match are changed. */
  readonly bytewise: boolean;
  /** Text the agent gave, in the file's units. */
  readonly from: (given: string) => string;
  /** The bytes to write; `undefined` when they can't be written in the file's encoding. */
  readonly bytes: (text: string) => Buffer | undefined;
  /** For people to look at. */
  readonly shown: (text: string) => string;
}

const BYTEWISE: TextUnits = {
  bytewise: true,
  from: (given) => Buffer.from(given, "utf8").toString("latin1"),
  bytes: (text) => Buffer.from(text, "latin1"),
  shown: (text) => Buffer.from(text, "latin1").toString("utf8"),
};

function textUnits(format: TextFormat): TextUnits {
  return {
    bytewise: false,
    from: (given) => given,
    // Half a surrogate pair has no encoding: it would be written as another character.
    bytes: (text) => (text.isWellFormed() ? encodeText(text, format) : undefined),
    shown: (text) => text,
  };
}

/** Proves a path writable and reads what is there (FS-41, FS-103). */
export async function openForEdit({ files }: FileToolsDeps, path: string): Promise<Editable | FileProblem> {
  const place = await files.locateWritable(path);
  if (!place.ok) return place;
  const absent = { ok: true, place, text: undefined, content: undefined, units: textUnits(PLAIN_UTF8) } as const;
  if (!place.exists) return absent;
  const content = await files.read(path);
  if (!content.ok) return content;
  const decoded = decodeText(content.bytes, place.display);
  if (decoded.ok) return { ...absent, text: decoded.text, content, units: textUnits(decoded.format) };
  return { ...absent, text: content.bytes.toString("latin1"), content, units: BYTEWISE };
}

/**
 * Why new text can't go into a file read bytewise: it isn't ASCII, and nothing the agent found in the
 * file shows that it is UTF-8 there (FS-103).
 */
export function unwritable(units: TextUnits, matched: string, added: string, display: string): string | undefined {
  if (!units.bytewise || isAscii(added) || !isAscii(matched)) return undefined;
  return `${display} isn't UTF-8 text, so only ASCII can be put into it; nothing was changed`;
}

function isAscii(text: string): boolean {
  return !/[\u0080-\uffff]/.test(text);
}

/** What a tool is about to change in one file. */
export interface Edit {
  readonly tool: string;
  readonly path: string;
  readonly file: Pick<Editable, "place" | "content" | "text" | "units">;
  /** In the file's units. */
  readonly after: string;
  readonly detail: string;
}

/** Asks for an edit with its diff, then writes it if the file is still what was shown (FS-31, FS-40). */
export async function applyEdit(
  deps: FileToolsDeps,
  edit: Edit,
  context: CallContext,
): Promise<{ readonly bytes: number } | { readonly error: string }> {
  const { place, text, content, units } = edit.file;
  const bytes = units.bytes(edit.after);
  if (bytes === undefined) return { error: `${place.display}: the text holds half a character and can't be written` };
  const decision = await context.approve({
    tool: edit.tool,
    kind: "write_file",
    detail: withReason(edit.detail, place.control),
    diff: () => unifiedDiff(text === undefined ? undefined : units.shown(text), units.shown(edit.after), place.display),
    actions: [{ kind: "write_file", target: place.display }],
    ...rememberedAs(deps, "write", place.control),
  });
  if (!decision.allowed) return { error: decision.why };
  const by = { sessionId: context.sessionId, turnId: context.turnId };
  const written = await deps.files.write(decision.grant, { path: edit.path, bytes, expect: content?.bytes, by });
  return written.ok ? { bytes: bytes.length } : { error: written.message };
}

/** What a remembered answer covers; control files ask each time (FS-102). */
export function rememberedAs(
  { workspace }: FileToolsDeps,
  verb: "write" | "delete",
  control: string | undefined,
): { readonly key: string; readonly keyLabel: string } | { readonly control: true } {
  if (control !== undefined) return { control: true };
  return {
    key: `${verb}:${workspace}`,
    keyLabel: verb === "write" ? "edits in this workspace" : "deletions in this workspace",
  };
}

/** The detail of a request, with why a control file always asks. */
export function withReason(detail: string, control: string | undefined): string {
  return control === undefined ? detail : `${detail} — asks each time: ${control}`;
}

/** A problem as a tool's result. */
export function errorOf(problem: FileProblem): { readonly error: string } {
  return { error: problem.code === "FAILED" ? problem.message : `${problem.code}: ${problem.message}` };
}

/** Why a place can't be listed or searched as a folder. */
export function notFolder({ display, exists }: Pick<WritablePlace, "display" | "exists">): string {
  return `${display} ${exists ? "is not a directory" : "does not exist"}`;
}
