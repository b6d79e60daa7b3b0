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
  readonly format: TextFormat;
  readonly content: FileContent | undefined;
}

/** Proves a path writable and reads what is there, strictly (FS-41, FS-103). */
export async function openForEdit({ files }: FileToolsDeps, path: string): Promise<Editable | FileProblem> {
  const place = await files.locateWritable(path);
  if (!place.ok) return place;
  if (!place.exists) return { ok: true, place, text: undefined, format: PLAIN_UTF8, content: undefined };
  const content = await files.read(path);
  if (!content.ok) return content;
  const decoded = decodeText(content.bytes, place.display);
  return decoded.ok ? { ok: true, place, text: decoded.text, format: decoded.format, content } : decoded;
}

/** What a tool is about to change in one file. */
export interface Edit {
  readonly tool: string;
  readonly path: string;
  readonly place: WritablePlace;
  readonly content: FileContent | undefined;
  readonly before: string | undefined;
  readonly after: string;
  readonly format: TextFormat;
  readonly detail: string;
}

/** Asks for an edit with its diff, then writes it if the file is still what was shown (FS-31, FS-40). */
export async function applyEdit(
  deps: FileToolsDeps,
  edit: Edit,
  context: CallContext,
): Promise<{ readonly bytes: number } | { readonly error: string }> {
  const { place } = edit;
  const decision = await context.approve({
    tool: edit.tool,
    kind: "write_file",
    detail: withReason(edit.detail, place.control),
    diff: () => unifiedDiff(edit.before, edit.after, place.display),
    actions: [{ kind: "write_file", target: place.display }],
    ...rememberedAs(deps, "write", place.control),
  });
  if (!decision.allowed) return { error: decision.why };
  const bytes = encodeText(edit.after, edit.format);
  const by = { sessionId: context.sessionId, turnId: context.turnId };
  const written = await deps.files.write(decision.grant, { path: edit.path, bytes, expect: edit.content?.bytes, by });
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
