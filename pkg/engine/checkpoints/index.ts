// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** What files were before each prompt, and undoing it (06 §6). */
export {
  type Checkpoints,
  type CheckpointsOptions,
  openCheckpoints,
  type TurnBegin,
} from "./open-checkpoints.js";
