// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * The diagnostic log: Blitz's own health, one JSON line a record, never waiting for the disk; and reading it. It
 * holds no prompt, reply, argument or file content; what the agent did is in the audit log.
 */
export { createLog, type Log, type LogOptions } from "./log.js";
export { type Level, LEVELS, parseLevel } from "./level.js";
export { logDays, type LogAttribute, type LogEntry, type LogPage, type LogQuery, readLog } from "./read-log.js";
