// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import type { BlockedPaths } from "./blocked-paths.js";
import { failed, type FileProblem, problem } from "./file-problem.js";

/** A folder the agent works in, canonical. */
export interface Root {
  readonly dir: string;
  readonly writable: boolean;
}

/** A path proven to lie where it may be used. */
export interface Place {
  readonly ok: true;
  /** Where it really is, every link resolved; what is opened. */
  readonly real: string;
  /** Workspace-relative with `/` inside, absolute elsewhere: the lock key, rule target and diff name (FS-05). */
  readonly display: string;
  readonly exists: boolean;
  /** The name given is a link; it is written through (FS-20). */
  readonly isLink: boolean;
  readonly root: Root;
}

/** Finds places: nothing outside a root is ever named by one (FS-02). */
export interface Resolver {
  resolve(given: string, forWriting: boolean): Place | FileProblem;
  /** The place of a link itself, for removing it; `undefined` when the name is no link. */
  resolveLink(given: string): Place | FileProblem | undefined;
  /** For walks: a path below a root is inside by construction, so only patterns are asked. */
  blocked(absolute: string): string | undefined;
  display(absolute: string): string;
}

/** A resolver over canonical roots, the workspace first. */
export function createResolver(roots: readonly Root[], blocked: BlockedPaths): Resolver {
  const workspace = roots[0]?.dir ?? "/";
  const rootOf = (absolute: string): Root | undefined =>
    roots
      .filter((root) => isInside(absolute, root.dir))
      .reduce<Root | undefined>(
        (best, root) => (best === undefined || root.dir.length > best.dir.length ? root : best),
        undefined,
      );
  const display = (absolute: string): string => {
    if (!isInside(absolute, workspace)) return absolute;
    const below = absolute.slice(workspace.length + (workspace.endsWith(path.sep) ? 0 : 1));
    return (path.sep === "/" ? below : below.split(path.sep).join("/")) || ".";
  };
  const refuse = (absolute: string, shown: string, forWriting: boolean, via: string): FileProblem | Root => {
    const root = rootOf(absolute);
    if (root === undefined) return problem("OUTSIDE_WORKSPACE", `${shown} is outside the workspace${via}`);
    const pattern = blocked.match(absolute);
    if (pattern !== undefined) return problem("BLOCKED_PATH", `${shown} is blocked by the pattern ${pattern}${via}`);
    if (forWriting && !root.writable) return problem("READ_ONLY_PATH", `${shown} is in a read-only folder${via}`);
    return root;
  };

  const resolve: Resolver["resolve"] = (given, forWriting) => {
    if (given === "" || given.includes("\0"))
      return problem("BAD_PATH", given === "" ? "the path is empty" : "the path holds a NUL");
    const lexical = lexicalPlace(given, workspace, rootOf);
    const written = refuse(lexical, given, forWriting, "");
    if ("ok" in written) return written;
    const found = reach(lexical);
    if ("problem" in found) return failed(found.problem, given);
    const { real, exists, isLink } = found;
    const root = refuse(real, given, forWriting, real === lexical ? "" : " (via symlink)");
    if ("ok" in root) return root;
    if (forWriting && roots.some((one) => one.dir === real)) return problem("NOT_A_FILE", `${given} is a root folder`);
    return { ok: true, real, display: display(real), exists, isLink, root };
  };
  return {
    display,
    blocked: (absolute) => blocked.match(absolute),
    resolve,
    resolveLink: (given) => {
      // What it leads to is asked about too: a link out of the workspace is refused like any use of it.
      const target = resolve(given, true);
      if (!target.ok) return target;
      if (!target.isLink) return undefined;
      const lexical = lexicalPlace(given, workspace, rootOf);
      const above = reach(path.dirname(lexical));
      if ("problem" in above) return failed(above.problem, given);
      const real = path.join(above.real, path.basename(lexical));
      const root = refuse(real, given, true, real === lexical ? "" : " (via symlink)");
      return "ok" in root ? root : { ok: true, real, display: display(real), exists: true, isLink: true, root };
    },
  };
}

/** Canonical, existing folders; `realpathSync` is fine here: roots are few, and opened once. */
export function canonicalRoot(dir: string, setting: string): string {
  try {
    return realpathSync(dir);
  } catch (error) {
    throw new Error(`${setting}: ${dir} is not a folder: ${(error as Error).message}`);
  }
}

/** Relative paths start at the workspace; an absolute one not found lexically is tried with its prefix resolved (FS-03). */
function lexicalPlace(given: string, workspace: string, rootOf: (absolute: string) => Root | undefined): string {
  const absolute = path.resolve(workspace, given);
  if (rootOf(absolute) !== undefined || !path.isAbsolute(given)) return absolute;
  const above = reach(path.dirname(absolute));
  const spelled = "real" in above ? path.join(above.real, path.basename(absolute)) : absolute;
  if (rootOf(spelled) !== undefined) return spelled; // the last name may be a link, which is still to be seen
  const found = reach(absolute);
  return "real" in found && rootOf(found.real) !== undefined ? found.real : absolute;
}

interface Reached {
  readonly real: string;
  readonly exists: boolean;
  readonly isLink: boolean;
}

const MOST_LINKS: number = 40;

/**
 * Where a path really leads: links of every part resolved, also of a last part that doesn't exist yet.
 * Done at once: names are looked up in the system's cache, far cheaper than through the thread pool.
 */
function reach(absolute: string, depth = 0): Reached | { readonly problem: unknown } {
  try {
    const isLink = lstatSync(absolute).isSymbolicLink();
    return { real: realpathSync.native(absolute), exists: true, isLink };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || depth > MOST_LINKS) return { problem: error };
  }
  const parent = path.dirname(absolute);
  if (parent === absolute) return { real: absolute, exists: false, isLink: false };
  const target = danglingTarget(absolute);
  if (target !== undefined) {
    const end = reach(path.resolve(parent, target), depth + 1);
    return "real" in end ? { ...end, exists: false, isLink: true } : end;
  }
  const above = reach(parent, depth + 1);
  return "real" in above
    ? { real: path.join(above.real, path.basename(absolute)), exists: false, isLink: false }
    : above;
}

/** What a link that leads nowhere points to; `undefined` when there is no link. */
function danglingTarget(absolute: string): string | undefined {
  try {
    return readlinkSync(absolute);
  } catch {
    return undefined; // not a link, or not there at all
  }
}

/** Whether a path is a folder or beneath it; siblings that share a prefix are not. */
export function isInside(absolute: string, dir: string): boolean {
  return absolute === dir || absolute.startsWith(dir.endsWith(path.sep) ? dir : dir + path.sep);
}
