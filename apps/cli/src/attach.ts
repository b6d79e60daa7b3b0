// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync, readlinkSync } from "node:fs";
import { isatty } from "node:tty";
import { ApiError, type Backend, isReason } from "@blitz/api";
import { defaultEndpoint, isAnswering } from "@blitz/socket";
import { printable } from "./output/output.js";
import type { Program } from "./program.js";

/** Where this user's service is. */
export function endpointOf(program: Program): string {
  const { env, home, configDir } = program;
  return defaultEndpoint({ env, home, platform: process.platform, configDir });
}

/** Whether a service may be there: looked at, not asked. */
export function mayBeServed(program: Program): boolean {
  return process.platform === "win32" || existsSync(endpointOf(program));
}

/** The workspace in the service, when one answers (CLI-14, CL-02). @throws ApiError suggesting `--local` when it can't be opened there */
export async function attachWhenServed(program: Program): Promise<Backend | undefined> {
  const endpoint = endpointOf(program);
  if (!mayBeServed(program) || !(await isAnswering(endpoint))) return undefined;
  const { attach } = await import("@blitz/client");
  const warn = (text: string): void => program.stderr.write(`blitz: ${printable(text)}\n`);
  try {
    return await attach({ endpoint, dir: program.dir, client: clientName(), warn });
  } catch (error) {
    if (!isReason(error)) throw error;
    const hint = `${error.message} (in the service at ${endpoint}; --local runs in this process instead)`;
    throw new ApiError(error.reason, hint, error.metadata, error);
  }
}

/** How this client names itself to the service: by its terminal, else by its process (PRT-08). */
export function clientName(): string {
  try {
    if (isatty(0)) return `cli;${readlinkSync("/proc/self/fd/0").replace(/^\/dev\//, "")}`;
  } catch {
    // No /proc here: the process is named instead.
  }
  return `cli;process ${process.pid}`;
}
