// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ServiceProgram } from "./service-program.js";

/** How a program ended. */
export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program found on `PATH` to its end, without a shell. Rejects when it can't be started. */
export type RunProgram = (argv: readonly string[], signal: AbortSignal | undefined) => Promise<ProgramResult>;

/** What working with login items needs. */
export interface LoginItemDeps {
  readonly platform: NodeJS.Platform;
  /** The user's home, absolute. */
  readonly home: string;
  /** The user's number, for the session of macOS; elsewhere unused. */
  readonly uid: number;
  readonly runProgram: RunProgram;
  /** Waits between looks at a service that is stopping. */
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Whether there is an item. Whether the service answers is another question, for its socket. */
export interface LoginItemStatus {
  readonly installed: boolean;
  /** The item's file, or its key in the registry. */
  readonly where: string;
}

/** The login item of this user. Operations reject with a LoginItemError. */
export interface LoginItem {
  /** Registers the program, in place of another one, and starts it; one that is running is restarted (SVC-50). */
  install(program: ServiceProgram, signal?: AbortSignal): Promise<void>;
  /** Stops the service and removes the item (SVC-51). */
  uninstall(signal?: AbortSignal): Promise<void>;
  status(signal?: AbortSignal): Promise<LoginItemStatus>;
  /** Starts the service if it isn't running (SVC-52). */
  start(signal?: AbortSignal): Promise<void>;
  /** Stops the service in good order, if it is running, and starts it (SVC-52). */
  restart(signal?: AbortSignal): Promise<void>;
  /** Stops the service until it is started or its user logs in again. */
  stop(signal?: AbortSignal): Promise<void>;
}
