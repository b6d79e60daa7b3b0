// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The event log as data: events, parts, lines, the model's view, crash repair. Pure. */
export type { CallUsage, Compaction, Event, Msg, Part, Stop, ToolCallPart, ToolResultPart } from "./event.js";
export { formatEvent, type LogLine, parseLine, parseLog } from "./log-line.js";
export { callsOf, textOf, UNKNOWN_OUTCOME, view } from "./view.js";
