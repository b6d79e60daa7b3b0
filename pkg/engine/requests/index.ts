// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * What waits for a person: approvals and questions with IDs, answered by whoever is first, kept across
 * a restart by the turn they belong to (SVC-25, 26).
 */
export {
  type Asked,
  type AskingTurn,
  createRequestBroker,
  type RequestBroker,
  type RequestBrokerDeps,
  type SavedRequest,
  type Settled,
  type TurnHooks,
  type TurnRequests,
} from "./request-broker.js";
