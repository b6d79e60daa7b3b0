// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Sessions on disk: metadata, transcripts and event logs (17). */
export type { Metadata } from "./metadata.js";
export type { Session } from "./session.js";
export { openSessions, type SessionStore, type SessionsDeps, waitingWorkspaces } from "./store.js";
