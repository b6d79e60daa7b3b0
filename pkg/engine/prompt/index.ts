// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Every text the engine itself writes to a model. */
export { INIT_COMMAND, INIT_PROMPT } from "./init-prompt.js";
export { carryOutPrompt, PROBE_PROMPT, planPrompt, type SystemFacts, systemText } from "./system-text.js";
