// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * A session's live turn as numbered events: kept for those who come late, sent to all who watch
 * (SVC-20, 22). It runs nothing and keeps nothing on disk.
 */
export type { Happening } from "./event-store.js";
export { createLiveTurns, type LiveTurn, type LiveTurns, type LiveTurnsDeps } from "./live-turns.js";
