// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Model → tools → model until done, within limits; steering while it runs. */
export type { Batch, BatchWatch } from "./batch.js";
export type { LoopEnd, LoopEvent } from "./loop-event.js";
export { type LoopDeps, type LoopRun, type RunLimits, type RunLog, runLoop } from "./run.js";
export { createSteering, type Steering } from "./steering.js";
