// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * Grammar and matching of permission rules (05 §4). Pure: where rules come from, and what follows from
 * a match, is the gate's; `shell` rules are matched per sub-command by the command policy.
 */
export { compileRules, matchRules, type RuleMatch, type RuleSet, type RuleTarget, toolRule } from "./match-rules.js";
export { parseRule, type Rule, type RuleKind } from "./parse-rule.js";
export type { RulePlaces } from "./path-pattern.js";
