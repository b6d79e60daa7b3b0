// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import { LoginItemError } from "./login-item-error.js";
import { commandOf, type ServiceProgram } from "./service-program.js";

/** The name of the user unit. */
export const SYSTEMD_UNIT = "blitz.service";

/**
 * The systemd unit of Linux: started at login, again after a failure, but not when another service already answers
 * (it ends with 2 then, SVC-00).
 *
 * @throws LoginItemError `failed` when the first program's path has a quote or a backslash, which systemd refuses
 *   however it is written
 */
export function systemdUnit(service: ServiceProgram): string {
  const words = commandOf(service, path.posix.isAbsolute);
  const [first = ""] = words;
  if (/["'\\]/.test(first))
    throw new LoginItemError("failed", `systemd can't start a program with a quote or backslash in its path: ${first}`);
  // `$$` would do for arguments, but isn't understood in the program's path; systemd before 244 knows no `:`.
  const prefix = words.some((word) => word.includes("$")) ? ":" : "";
  return `[Unit]
Description=Blitz service

[Service]
ExecStart=${prefix}${words.map(quote).join(" ")}
Restart=on-failure
RestartPreventExitStatus=2

[Install]
WantedBy=default.target
`;
}

/** Backslashes and quotes are escaped for the quotes, `%` because it begins a specifier even there. */
function quote(word: string): string {
  return `"${word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;
}
