// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { WatchHandlers } from "./backend.js";
import type { Turn } from "./turn.js";

/** A turn in a session of its own that no client waits for (SVC-24). */
export interface BackgroundRun {
  /** `bg-<n>`. */
  readonly id: string;
  readonly workspace: string;
  readonly sessionId: string;
  /** The prompt's first line. */
  readonly prompt: string;
  readonly state: "running" | "waiting" | "done" | "failed" | "stopped";
  readonly started: Date;
  /** Absent while it goes on. */
  readonly ended?: Date;
  readonly costUsd: number;
  /** Requests that wait for a person. */
  readonly waiting: number;
  /** Why it failed, in English; "" otherwise. */
  readonly error: string;
}

/** Background runs of every workspace of a service; beside `Backend`, since no workspace owns them. */
export interface BackgroundRuns {
  /** @throws ApiError as opening `dir` does, `INVALID_TURN` */
  startBackground(dir: string, turn: Turn): Promise<BackgroundRun>;
  /** Newest first. */
  listBackground(): Promise<readonly BackgroundRun[]>;
  /**
   * The events so far, then live ones with `follow`; resolves when the run has ended.
   *
   * @throws ApiError `UNKNOWN_RUN`
   */
  watchBackground(id: string, follow: boolean, handlers: WatchHandlers): Promise<void>;
  /** @throws ApiError `UNKNOWN_RUN` */
  stopBackground(id: string): Promise<BackgroundRun>;
}

/** Whether a run goes on or waits. */
export function isActive(run: BackgroundRun): boolean {
  return run.state === "running" || run.state === "waiting";
}
