// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Listening where the service is: one process, one socket file that only its user can reach (SVC-02). */
export { type Listener, type ListenOptions, openListener } from "./listener.js";
export { ListenError, type ListenProblem } from "./listen-error.js";
