// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * Judging shell commands before anybody is asked (07 §2): parsing Bash, finding every command, matching
 * patterns. A guardrail; the OS sandbox is the boundary.
 */
export { type CompiledPolicy, compilePolicy, DEFAULT_DENY, type PolicyOptions } from "./compile-policy.js";
export { type Judgement, judgeCommand } from "./judge-command.js";
export { READ_ONLY_COMMANDS, READ_ONLY_EXCEPTIONS, READ_ONLY_GIT } from "./read-only.js";
