// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Instruction files of the user and the project, as one text for every agent (12). */
export { loadMemory, type Memory, type MemoryConfig, type MemoryDeps } from "./load-memory.js";
