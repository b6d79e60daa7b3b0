// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";

/** Files whose content makes some program run code, or loosens Blitz's own rules (FS-102). */
const EXACT: ReadonlySet<string> = new Set([".mcp.json", ".agents/mcp_config.json", ".vscode/tasks.json"]);
const NAMES: ReadonlySet<string> = new Set([
  ".envrc",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".logout",
  ".kshrc",
  ".mkshrc",
  ".gitmodules",
  ".gitconfig",
]);
/** Folders whose files a shell reads at its start, also in a home that is kept in the workspace. */
const SHELL_FOLDERS: RegExp =
  /(^|\/)(fish\/(config\.fish|(conf\.d|functions|completions)\/)|nushell\/(config|env|login)\.nu$)/;

/** Why a file is a control file; `undefined` when it is an ordinary one. `relative` is below its root. */
export function controlReason(relative: string): string | undefined {
  const unix = relative.split(path.sep).join("/").toLowerCase();
  const parts = unix.split("/");
  if (parts.includes(".git")) return "it is part of git's own folder, which can make git run programs";
  if (/(^|\/)\.blitz\/settings[^/]*\.toml$/.test(unix)) return "it holds Blitz's own settings";
  if (EXACT.has(unix) || [...EXACT].some((one) => unix.endsWith(`/${one}`)))
    return "it can make a program start others";
  if (NAMES.has(parts.at(-1) ?? "") || SHELL_FOLDERS.test(unix)) return "it is run or read by a shell or git";
  if (parts.includes(".husky") || parts.includes(".githooks")) return "it can be a git hook";
  return undefined;
}
