// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * The append-only record of actions: a hash chain over one file a day (03 §2). It never stops the work
 * it records. The lock between processes it appends under is exported for other small shared files.
 */
export { type Audit, type AuditOptions, openAudit } from "./audit.js";
export type { AuditEntry, AuditKind } from "./entry.js";
export { type FileLock, openFileLock } from "./file-lock.js";
