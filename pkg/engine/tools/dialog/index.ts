// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The agent's own tools: questions, plans and the task list. */
export { type DialogDeps, dialogTools } from "./dialog-tools.js";
