// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import { applyHunks, type FilePatch, type Hunk, parsePatch, unifiedDiff } from "../../diff/index.js";
import { type ChangeOwner, type FileContent, type Files, type WritablePlace } from "../../files/index.js";
import type { Action, Grant } from "../../grant/index.js";
import type { CallContext, Tool } from "../call/index.js";
import {
  type Editable,
  errorOf,
  type FileToolsDeps,
  openForEdit,
  rememberedAs,
  type TextUnits,
  unwritable,
  withReason,
} from "./edit.js";

/** `apply_patch`: several files in one change, asked once, all or nothing (06 §5). */
export function applyPatchTool(deps: FileToolsDeps): Tool {
  return {
    name: "apply_patch",
    description:
      'Change several files at once: a unified diff, or "*** Begin Patch" with "*** Add File: p", "*** Update File: p" (hunks after "@@ anchor", lines with " ", "-", "+"), "*** Delete File: p", "*** End Patch".',
    planAllowed: false,
    schema: {
      type: "object",
      properties: { patch: { type: "string" } },
      required: ["patch"],
      additionalProperties: false,
    },
    run: async (args, context) => {
      const parsed = parsePatch(String(args["patch"]));
      if (!parsed.ok) return { error: parsed.problem };
      const paths = parsed.files.flatMap(pathsOf);
      const displays: string[] = [];
      for (const path of paths) {
        const place = await deps.files.locateWritable(path);
        if (!place.ok) return errorOf(place);
        if (displays.includes(place.display)) return { error: `${place.display} is named twice in the patch` };
        displays.push(place.display);
      }
      return await deps.files.hold(displays, context.signal, async () => await patchFiles(deps, parsed.files, context));
    },
  };
}

function pathsOf(file: FilePatch): string[] {
  return file.op === "update" && file.movedTo !== undefined ? [file.path, file.movedTo] : [file.path];
}

/** What happens to one path. */
interface Step {
  readonly path: string;
  readonly place: WritablePlace;
  readonly before: FileContent | undefined;
  /** `undefined`: removed. */
  readonly after: Buffer | undefined;
}

interface Planned {
  readonly steps: readonly Step[];
  readonly diff: string;
  readonly shown: {
    readonly path: string;
    readonly op: FilePatch["op"];
    readonly moved_to?: string;
    readonly added: number;
    readonly removed: number;
  };
}

async function patchFiles(deps: FileToolsDeps, files: readonly FilePatch[], context: CallContext): Promise<JsonObject> {
  const planned: Planned[] = [];
  for (const file of files) {
    const plan = await planFile(deps, file);
    if ("error" in plan) return { error: plan.error };
    planned.push(plan);
  }
  const steps = planned.flatMap((one) => one.steps);
  const actions: Action[] = steps.map(({ place, after }) => ({
    kind: after === undefined ? "delete_file" : "write_file",
    target: place.display,
  }));
  const reasons = steps.flatMap(({ place }) =>
    place.control === undefined ? [] : [`${place.display}: ${place.control}`],
  );
  const control = reasons.length === 0 ? undefined : reasons.join("; ");
  const deletes = actions.some((action) => action.kind === "delete_file");
  const count = `${files.length} file${files.length === 1 ? "" : "s"}`;
  const decision = await context.approve({
    tool: "apply_patch",
    kind: deletes && actions.every((action) => action.kind === "delete_file") ? "delete_file" : "write_file",
    detail: withReason(`Apply patch to ${count}: ${planned.map((one) => one.shown.path).join(", ")}`, control),
    diff: () => planned.map((one) => one.diff).join("\n"),
    actions,
    // A remembered answer for edits says nothing about deletions: a patch with both is asked by itself.
    ...(deletes && control === undefined ? {} : rememberedAs(deps, "write", control)),
  });
  if (!decision.allowed) return { error: decision.why };
  const problem = await applyAll(deps.files, decision.grant, steps, context);
  if (problem !== undefined) return { error: problem };
  return { success: true, files: planned.map((one) => one.shown) };
}

interface Refused {
  readonly error: unknown;
}

async function planFile(deps: FileToolsDeps, file: FilePatch): Promise<Planned | Refused> {
  const opened = await openForEdit(deps, file.path);
  if (!opened.ok) return errorOf(opened);
  const { place, units } = opened;
  const added = file.op === "add" ? units.bytes(file.text) : undefined;
  switch (file.op) {
    case "add":
      if (opened.text !== undefined) return { error: `${place.display} exists already; no file was changed` };
      if (added === undefined) return { error: halved(place.display) };
      return plan(
        file,
        [{ path: file.path, place, before: undefined, after: added }],
        unifiedDiff(undefined, file.text, place.display),
        opened,
        file.text,
      );
    case "delete":
      if (opened.text === undefined) return { error: `${place.display} does not exist; no file was changed` };
      return plan(
        file,
        [{ path: file.path, place, before: opened.content, after: undefined }],
        unifiedDiff(units.shown(opened.text), undefined, place.display),
        opened,
        undefined,
      );
    case "update":
      return await planUpdate(deps, file, opened);
    default:
      return file satisfies never;
  }
}

async function planUpdate(
  deps: FileToolsDeps,
  file: Extract<FilePatch, { op: "update" }>,
  opened: Editable,
): Promise<Planned | Refused> {
  const { place, text, units } = opened;
  if (text === undefined) return { error: `${place.display} does not exist; no file was changed` };
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  const linesOf = (added: boolean): string =>
    lines
      .filter(({ op }) => (op === "+") === added)
      .map((line) => line.text)
      .join("\n");
  const cant = unwritable(units, linesOf(false), linesOf(true), place.display);
  if (cant !== undefined) return { error: cant };
  const patched = applyHunks(
    text,
    file.hunks.map((hunk) => inUnits(hunk, units)),
  );
  if (!patched.ok) return { error: `${place.display}: ${patched.problem}\nNo file was changed.` };
  const after = patched.text;
  const bytes = units.bytes(after);
  if (bytes === undefined) return { error: halved(place.display) };
  const [textShown, afterShown] = [units.shown(text), units.shown(after)];
  if (file.movedTo === undefined)
    return plan(
      file,
      [{ path: file.path, place, before: opened.content, after: bytes }],
      unifiedDiff(textShown, afterShown, place.display),
      opened,
      after,
    );
  const target = await deps.files.locateWritable(file.movedTo);
  if (!target.ok) return errorOf(target);
  if (target.exists) return { error: `${target.display} exists already; no file was changed` };
  const steps: Step[] = [
    { path: file.movedTo, place: target, before: undefined, after: bytes },
    { path: file.path, place, before: opened.content, after: undefined },
  ];
  return plan(
    file,
    steps,
    unifiedDiff(textShown, afterShown, target.display, place.display),
    opened,
    after,
    target.display,
  );
}

function halved(display: string): string {
  return `${display}: the text holds half a character and can't be written; no file was changed`;
}

/** A hunk as it is looked for in a file's units. */
function inUnits(hunk: Hunk, units: TextUnits): Hunk {
  const { anchor } = hunk;
  const lines = hunk.lines.map((line) => ({ ...line, text: units.from(line.text) }));
  return { ...hunk, lines, anchor: anchor === undefined ? undefined : units.from(anchor) };
}

function plan(
  file: FilePatch,
  steps: readonly Step[],
  diff: string,
  opened: Editable,
  after: string | undefined,
  movedTo?: string,
): Planned {
  const marks = (sign: "+" | "-"): number =>
    file.op === "update" ? file.hunks.flatMap((hunk) => hunk.lines).filter((line) => line.op === sign).length : 0;
  const count = (text: string | undefined): number =>
    text === undefined || text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  const added = file.op === "add" ? count(after) : marks("+");
  const removed = file.op === "delete" ? count(opened.text) : marks("-");
  const shown = {
    path: opened.place.display,
    op: file.op,
    ...(movedTo === undefined ? {} : { moved_to: movedTo }),
    added,
    removed,
  };
  return { steps, diff, shown };
}

/** All or nothing (FS-54): what was done is taken back when a step fails; a failed rollback names the files. */
async function applyAll(
  files: Files,
  grant: Grant,
  steps: readonly Step[],
  context: CallContext,
): Promise<string | undefined> {
  const by = { sessionId: context.sessionId, turnId: context.turnId };
  const done: Step[] = [];
  for (const step of steps) {
    const expect = step.before?.bytes;
    const result =
      step.after === undefined
        ? await files.remove(grant, { path: step.path, expect, by })
        : await files.write(grant, { path: step.path, bytes: step.after, expect, by });
    if (result.ok) {
      done.push(step);
      continue;
    }
    const stuck = await rollBack(files, grant, done, by);
    return stuck.length === 0
      ? `${result.message}; no file was changed`
      : `${result.message}; these files could not be restored: ${stuck.join(", ")}`;
  }
  return undefined;
}

async function rollBack(files: Files, grant: Grant, done: readonly Step[], by: ChangeOwner): Promise<string[]> {
  const stuck: string[] = [];
  for (const step of [...done].reverse()) {
    if (!(await files.restore(grant, step.place.display, step.before, by))) stuck.push(step.place.display);
  }
  return stuck;
}
