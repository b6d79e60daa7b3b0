// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The tools that read, search and change files (06 §4, §5). */
export type { FileToolsDeps } from "./edit.js";
export { fileTools } from "./file-tools.js";
