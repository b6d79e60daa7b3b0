// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type PermissionMode, parsePermissionMode } from "@blitz/api";

/** The workspace's permission mode (APR-14). */
export interface ModeSwitch {
  current(): PermissionMode;
  /**
   * Takes any spelling (APR-53).
   *
   * @throws ApiError `UNKNOWN_MODE`, `BYPASS_NEEDS_SANDBOX`; the mode stays
   */
  set(mode: string): PermissionMode;
}

/** Starts in `initial`; `bypass` without a sandbox becomes `default`, with a warning (PAR-PERM-05). */
export function createModeSwitch(
  deps: { readonly canBypass: () => boolean; readonly warn: (text: string) => void },
  initial: PermissionMode,
): ModeSwitch {
  const isRefused = initial === "bypass" && !deps.canBypass();
  if (isRefused) deps.warn("bypass needs the OS sandbox for commands; starting in default");
  let mode: PermissionMode = isRefused ? "default" : initial;
  return {
    current: () => mode,
    set: (text) => {
      const next = parsePermissionMode(text);
      if (next === "bypass" && !deps.canBypass()) {
        throw apiError("BYPASS_NEEDS_SANDBOX", "bypass needs the OS sandbox for commands, and it isn't active", {});
      }
      mode = next;
      return mode;
    },
  };
}
