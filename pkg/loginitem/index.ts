// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * Starting the service when its user logs in: a launch agent on macOS, a systemd user unit on Linux, a value of the
 * registry on Windows (SVC-50). It knows nothing of the service but how to start it, and writes no settings or keys.
 */
export { findServiceProgram, type ServiceProgram, type ServiceProgramQuery } from "./service-program.js";
export { launchdPlist } from "./launchd-plist.js";
export { systemdUnit } from "./systemd-unit.js";
export { windowsRunValue } from "./windows-run-value.js";
export { createLoginItem } from "./login-item.js";
export type { LoginItem, LoginItemDeps, LoginItemStatus, ProgramResult, RunProgram } from "./contract.js";
export { LoginItemError, type LoginItemProblem } from "./login-item-error.js";
