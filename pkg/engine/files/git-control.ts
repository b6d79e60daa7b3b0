// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { lstatSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { isInside } from "./resolver.js";

const MOST_BYTES: number = 1024 * 1024;
/** Names git runs hooks by; a start is enough. */
const HOOK_NAME: RegExp = /^(applypatch|pre|prepare|commit|post|update|proc|push|reference|sendemail|fsmonitor|p4)\b/;

/** Tells why an absolute path is a control file because of how a root's repository is set up (FS-102). */
export type GitControl = (absolute: string) => string | undefined;

/**
 * Reads where the roots' `.git` files point to, and the hook folders their repositories are configured to
 * use: once, when the workspace opens. What can't be read names nothing.
 */
export function openGitControl(roots: readonly string[], home: string): GitControl {
  const own = new Set<string>();
  const hooks = new Set<string>();
  for (const root of roots) {
    const folders = gitFolders(root);
    for (const folder of folders) own.add(folder);
    for (const folder of folders) {
      for (const name of ["config", "config.worktree"])
        for (const given of hooksPaths(textOf(path.join(folder, name)) ?? ""))
          for (const place of spellings(
            path.resolve(
              root,
              given.replace(/^~(?=\/|$)/, () => home),
            ),
          ))
            hooks.add(place);
    }
  }
  const isHook = (absolute: string): boolean =>
    [...hooks].some((folder) => {
      if (!isWithin(absolute, folder)) return false;
      // A hook folder that is a root, or holds one, can't make every file a control file.
      if (!roots.some((root) => isWithin(root, folder))) return true;
      return path.dirname(absolute) === folder && HOOK_NAME.test(path.basename(absolute));
    });
  return (absolute) => {
    if ([...own].some((folder) => isWithin(absolute, folder)))
      return "it is part of git's own folder, which can make git run programs";
    return isHook(absolute) ? "git is set up to run hooks from its folder" : undefined;
  };
}

/** Never less than what the file system takes for the same. */
function isWithin(absolute: string, folder: string): boolean {
  return isInside(absolute.toLowerCase(), folder.toLowerCase());
}

/** The git folder of a root: `.git`, or where a `.git` file points to, with the repository a worktree belongs to. */
function gitFolders(root: string): readonly string[] {
  const dot = path.join(root, ".git");
  const pointer = /^gitdir: *(.+?)\s*$/m.exec(textOf(dot) ?? "")?.[1];
  if (pointer === undefined) return [dot];
  const folder = path.resolve(root, pointer);
  const common = textOf(path.join(folder, "commondir"))?.trim();
  return [folder, ...(common === undefined ? [] : [path.resolve(folder, common)])].flatMap(spellings);
}

/** A path as written, and with its links resolved. */
function spellings(place: string): readonly string[] {
  try {
    return [...new Set([place, realpathSync(place)])];
  } catch {
    return [place]; // not there yet
  }
}

/** Every `core.hooksPath` of a git configuration. */
function hooksPaths(config: string): readonly string[] {
  const found: string[] = [];
  let section = "";
  for (const raw of config.replaceAll("\\\n", "").split("\n")) {
    const head = /^\s*\[([^\]]*)\]/.exec(raw);
    if (head !== null) section = (head[1] ?? "").trim().toLowerCase();
    const line = head === null ? raw : raw.slice(head[0].length);
    const value = /^\s*hookspath\s*=\s*(.*)$/i.exec(line)?.[1];
    if (section === "core" && value !== undefined) found.push(valueOf(value));
  }
  return found.filter((one) => one !== "");
}

/** A value without its quotes, escapes and comment. */
function valueOf(written: string): string {
  let quoted = false;
  let value = "";
  for (let at = 0; at < written.length; at++) {
    const char = written.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (char === "\\") value += written.charAt(++at);
    else if ((char === "#" || char === ";") && !quoted) break;
    else value += char;
  }
  return value.trim();
}

/** A small regular file's text; links are followed, as git does. */
function textOf(file: string): string | undefined {
  try {
    const real = realpathSync(file);
    const found = lstatSync(real);
    return found.isFile() && found.size <= MOST_BYTES ? readFileSync(real, "utf8") : undefined;
  } catch {
    return undefined; // absent or unreadable: it names nothing
  }
}
