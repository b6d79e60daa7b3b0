// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The gate's questions and answers. */
export type { ActionRequest, Gate, GateDecision } from "./request.js";
