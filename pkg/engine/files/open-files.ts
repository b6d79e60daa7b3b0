// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { closeSync, lstatSync, realpathSync, type Stats } from "node:fs";
import { readlink, unlink } from "node:fs/promises";
import path from "node:path";
import { Grant } from "../grant/index.js";
import { type BlockedPaths, compileBlocked } from "./blocked-paths.js";
import { controlReason } from "./control-file.js";
import { createEntryReader, type EntryReader } from "./entry-reader.js";
import { createFileLocks, type FileLocks } from "./file-locks.js";
import { failed, type FileProblem, problem } from "./file-problem.js";
import { openGitControl } from "./git-control.js";
import { type FileContent, openPlace, readPlace } from "./read-place.js";
import { canonicalRoot, createResolver, type Place, type Root } from "./resolver.js";
import { type WalkEntry, walkFolder } from "./walk-folder.js";
import { NEW_MODE, writeAtomically } from "./write-atomically.js";

/** Whose change it is: the turn it is undone with (FS-60a). */
export interface ChangeOwner {
  readonly sessionId: string;
  readonly turnId: string;
}

/** A file right before it is changed, for whoever keeps what was there (FS-61). */
export interface BeforeWrite {
  readonly by: ChangeOwner;
  readonly real: string;
  readonly display: string;
  readonly before:
    | { readonly exists: false }
    /** Of a link that is removed itself, `bytes` are where it points to. */
    | { readonly exists: true; readonly bytes: Buffer; readonly mode: number; readonly isLink?: true };
}

/** Told how the change went: the content and mode there are now, or `undefined` when the file is gone. */
export interface KeptBefore {
  done(after: Buffer | undefined, mode?: number): Promise<void>;
  /** The change failed: forget the entry (FS-23). */
  drop(): Promise<void>;
}

/** How the file sandbox is opened. */
export interface FilesOptions {
  readonly roots: {
    readonly workspace: string;
    readonly writable: readonly string[];
    readonly readOnly: readonly string[];
  };
  /** Patterns of FS-10. */
  readonly blocked: readonly string[];
  readonly home: string;
  readonly maxFileBytes: number;
  readonly beforeWrite?: (change: BeforeWrite) => Promise<KeptBefore>;
}

/** A change of one file. `expect` is what was shown: its bytes, or `undefined` for absent (FS-31). */
export interface FileChange {
  readonly path: string;
  readonly bytes: Buffer;
  readonly expect: Buffer | undefined;
  readonly by: ChangeOwner;
}

/** A place that may be written, and why writing it always asks, if it does (FS-102). */
export interface WritablePlace extends Place {
  readonly control: string | undefined;
}

/** The place of a link itself, as it is removed: its `real` and `display` are the link's own. */
export interface LinkPlace extends WritablePlace {
  /** Where it points to, as written in it. */
  readonly target: string;
}

/** What is known of a file without reading it. */
export interface FileStat {
  readonly isFolder: boolean;
  readonly isFile: boolean;
  readonly size: number;
  readonly modifiedMs: number;
}

/** The file sandbox of a workspace: everything the agent reads and writes goes through it (06). */
export interface Files {
  /** The workspace's canonical folder. */
  readonly workspace: string;
  /** Proves a path readable, or why not. */
  locate(path: string): Promise<Place | FileProblem>;
  /** Proves a path writable before anybody is asked (FS-41). */
  locateWritable(path: string): Promise<WritablePlace | FileProblem>;
  /** Proves that a link may be removed, by its own place; `undefined` when the path is no link. */
  locateLink(path: string): Promise<LinkPlace | FileProblem | undefined>;
  read(path: string): Promise<FileContent | FileProblem>;
  /** Whether a path's content may be used, by its absolute path: for readers outside the tools. */
  isBlocked(absolute: string): boolean;
  walk(folder: string, enter: (entry: WalkEntry) => boolean, signal: AbortSignal): AsyncGenerator<WalkEntry>;
  /** For entries of a walk, which are inside already. */
  display(real: string): string;
  /** Kind, size and time of a place or a walk's entry; links are not followed. `undefined` when it is gone. */
  stat(real: string): Promise<FileStat | undefined>;
  /** Reads entries of walks, regular files only; the caller closes it. */
  entryReader(): EntryReader;
  /** Serialises read, ask and write of files by their display paths (FS-30). */
  readonly hold: FileLocks["hold"];
  /** Creates or replaces; refuses without a grant naming the display path, and when the file isn't as expected. */
  write(grant: Grant, change: FileChange): Promise<{ readonly ok: true } | FileProblem>;
  /**
   * Puts back what a change of the same grant replaced, when a later one failed (FS-54).
   *
   * @returns whether the file is as it was
   */
  restore(grant: Grant, display: string, before: FileContent | undefined, by: ChangeOwner): Promise<boolean>;
  /** Removes a file, never a folder (FS-22). */
  remove(grant: Grant, change: Omit<FileChange, "bytes">): Promise<{ readonly ok: true } | FileProblem>;
  /** Removes a link and leaves what it leads to; refused when it isn't the one that was shown. */
  removeLink(grant: Grant, shown: LinkPlace, by: ChangeOwner): Promise<{ readonly ok: true } | FileProblem>;
}

/**
 * Opens the file sandbox.
 *
 * @throws Error naming the setting of a root that isn't a folder, or of a bad pattern
 */
export async function openFiles(options: FilesOptions): Promise<Files> {
  const { roots: given, home, maxFileBytes } = options;
  const roots: readonly Root[] = [
    { dir: canonicalRoot(given.workspace, "workspace"), writable: true },
    ...given.writable.map((dir) => ({ dir: canonicalRoot(dir, "sandbox.allowed_paths"), writable: true })),
    ...given.readOnly.map((dir) => ({ dir: canonicalRoot(dir, "sandbox.read_only_paths"), writable: false })),
  ];
  const ignoreCase = process.platform === "darwin" || process.platform === "win32";
  const blocked: BlockedPaths = compileBlocked(options.blocked, {
    home,
    roots: roots.map((root) => root.dir),
    ignoreCase,
    resolve: resolved,
  });
  const resolver = createResolver(roots, blocked);
  const workspace = roots[0]?.dir ?? given.workspace;

  const gitControl = openGitControl(
    roots.map((root) => root.dir),
    home,
  );
  const writable = (place: Place): WritablePlace => {
    const control = controlReason(path.relative(place.root.dir, place.real)) ?? gitControl(place.real);
    return { ...place, control };
  };
  const locateLink: Files["locateLink"] = async (name) => {
    const place = resolver.resolveLink(name);
    if (place?.ok !== true) return place;
    try {
      return { ...writable(place), target: await readlink(place.real) };
    } catch (error) {
      return failed(error, place.display);
    }
  };
  const locateWritable = async (name: string): Promise<WritablePlace | FileProblem> => {
    const place = resolver.resolve(name, true);
    if (!place.ok) return place;
    return writable(place);
  };
  const current = async (place: Place): Promise<FileContent | FileProblem | undefined> => {
    if (!place.exists) return undefined;
    const content = await readPlace(place, Number.MAX_SAFE_INTEGER);
    return !content.ok && content.code === "NOT_FOUND" ? undefined : content;
  };
  const change = async (
    grant: Grant,
    kind: "write_file" | "delete_file",
    { path: name, expect, by }: Omit<FileChange, "bytes">,
    apply: (place: Place, mode: number | undefined) => Promise<Buffer | undefined>,
  ): Promise<{ readonly ok: true } | FileProblem> => {
    const place = await locateWritable(name);
    if (!place.ok) return place;
    const { display, real } = place;
    if (!Grant.covers(grant, kind, display)) return problem("NO_GRANT", `${display}: this change was not allowed`);
    const now = await current(place);
    if (now !== undefined && !now.ok) return now;
    if (!isSame(now?.bytes, expect))
      return problem("CHANGED", `${display} changed since it was shown, so nothing was written; read it again`);
    const kept = await options.beforeWrite?.({ by, real, display, before: stateOf(now) });
    try {
      const after = await apply(place, now?.mode);
      await kept?.done(after, now?.mode ?? NEW_MODE);
      return { ok: true };
    } catch (error) {
      await kept?.drop();
      return failed(error, display);
    }
  };

  return {
    workspace,
    locate: async (name) => resolver.resolve(name, false),
    locateWritable,
    locateLink,
    read: async (name) => {
      const place = resolver.resolve(name, false);
      return place.ok ? await readPlace(place, maxFileBytes) : place;
    },
    isBlocked: (absolute) => blocked.match(absolute) !== undefined || blocked.match(resolved(absolute)) !== undefined,
    walk: (folder, enter, signal) => walkFolder(resolver, folder, enter, signal),
    display: resolver.display,
    stat: async (real) => {
      const found = statNow(real);
      if (found === undefined) return undefined;
      return { isFolder: found.isDirectory(), isFile: found.isFile(), size: found.size, modifiedMs: found.mtimeMs };
    },
    entryReader: () => createEntryReader(resolver, roots),
    hold: createFileLocks().hold,
    write: (grant, { bytes, ...about }) =>
      change(grant, "write_file", about, async (place, mode) => {
        await writeAtomically(place.real, bytes, mode, about.expect === undefined);
        return bytes;
      }),
    restore: async (grant, display, before, by) => {
      const allowed = Grant.covers(grant, "write_file", display) || Grant.covers(grant, "delete_file", display);
      const place = allowed ? await locateWritable(display) : undefined;
      if (place?.ok !== true) return false;
      const now = await current(place);
      if (now !== undefined && !now.ok) return false;
      const kept = await options.beforeWrite?.({ by, real: place.real, display, before: stateOf(now) });
      try {
        if (before === undefined) await unlink(place.real);
        else await writeAtomically(place.real, before.bytes, before.mode, false);
        await kept?.done(before?.bytes, before?.mode);
        return true;
      } catch {
        await kept?.drop();
        return false; // the caller names the file to the agent
      }
    },
    remove: (grant, about) =>
      change(grant, "delete_file", about, async (place) => {
        const opened = openPlace(place);
        if (!opened.ok) throw new Error(opened.message);
        closeSync(opened.fd);
        await unlink(place.real);
        return undefined;
      }),
    removeLink: async (grant, { real, display, target }, by) => {
      if (!Grant.covers(grant, "delete_file", display))
        return problem("NO_GRANT", `${display}: this change was not allowed`);
      const now = await locateLink(real);
      if (now?.ok === false) return now;
      if (now?.real !== real || now.target !== target)
        return problem("CHANGED", `${display} changed since it was shown, so it was not removed`);
      const before = { exists: true, bytes: Buffer.from(target), mode: 0o777, isLink: true } as const;
      const kept = await options.beforeWrite?.({ by, real, display, before });
      try {
        await unlink(real);
        await kept?.done(undefined);
        return { ok: true };
      } catch (error) {
        await kept?.drop();
        return failed(error, display);
      }
    },
  };
}

function stateOf(now: FileContent | undefined): BeforeWrite["before"] {
  return now === undefined ? { exists: false } : { exists: true, bytes: now.bytes, mode: now.mode };
}

/** At once: far cheaper than a trip through the thread pool, and a search asks about thousands. */
function statNow(real: string): Stats | undefined {
  try {
    return lstatSync(real, { throwIfNoEntry: false });
  } catch {
    return undefined; // not to be seen: the same to callers
  }
}

function isSame(now: Buffer | undefined, expected: Buffer | undefined): boolean {
  if (now === undefined || expected === undefined) return now === expected;
  return now.equals(expected);
}

function resolved(one: string): string {
  try {
    return realpathSync(one);
  } catch {
    return one; // not there: only its own spelling can be blocked
  }
}
