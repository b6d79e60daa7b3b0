// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Unified diffs and patches. Pure. */
export { applyHunks, type PatchResult } from "./apply-hunks.js";
export { type FilePatch, type Hunk, type HunkLine, type ParsedPatch, parsePatch } from "./parse-patch.js";
export { type DiffLimits, unifiedDiff } from "./unified-diff.js";
