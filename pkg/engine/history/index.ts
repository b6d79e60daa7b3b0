// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The event log as data: events, parts, the model's view, crash repair. Pure. */
export type { CallUsage, Compaction, Event, Msg, Part, Stop, ToolCallPart, ToolResultPart } from "./event.js";
