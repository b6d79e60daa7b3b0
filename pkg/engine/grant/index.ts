// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Proof that an action was allowed. Making one is behind a door of its own: `grant/mint`. */
export { type Action, type ActionKind, Grant } from "./grant.js";
