// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** One prompt from acceptance to result. */
export { createPlanGates, type PlanGates } from "./plan-gate.js";
export type { TurnSetting } from "./stage.js";
export { createTurns, type TurnRunner, type TurnsDeps } from "./turns.js";
