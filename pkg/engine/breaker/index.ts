// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A circuit breaker on a given clock, for models and MCP servers. It waits for nothing itself. */
export { type Breaker, type BreakerOptions, createBreaker } from "./breaker.js";
