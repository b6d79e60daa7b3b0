// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { LoginItem, LoginItemDeps } from "./contract.js";
import { createLaunchAgent } from "./launchd.js";
import { LoginItemError } from "./login-item-error.js";
import { createSystemdItem } from "./systemd.js";
import { createRunValue } from "./windows-run.js";

/**
 * The login item of a system. On Windows starting and stopping are refused as `unsupported`: the value there says
 * only what starts at login, and the service is stopped by its own call. On other systems everything is refused.
 */
export function createLoginItem(deps: LoginItemDeps): LoginItem {
  if (deps.platform === "darwin") return createLaunchAgent(deps);
  if (deps.platform === "linux") return createSystemdItem(deps);
  if (deps.platform === "win32") return createRunValue(deps);
  const refuse = (): Promise<never> =>
    Promise.reject(new LoginItemError("unsupported", `Blitz can't start at login on ${deps.platform}`));
  return { install: refuse, uninstall: refuse, status: refuse, start: refuse, restart: refuse, stop: refuse };
}
