// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Tokens and money: what a call used and cost, and whether the next one fits. */
export { type CallUsage, costOf, estimateTokens, reserveOutput, usageOf } from "./cost.js";
