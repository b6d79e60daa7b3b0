// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * Locks between processes, freed by the system when their holder dies (00 decision 10). Not for parts of
 * one process, which can talk to each other.
 */
export { type Lock, tryLock } from "./lock.js";
