// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Requests } from "@blitz/api";
import type { RequestBroker } from "../requests/index.js";

/** What waits for a person (SVC-26). */
export function createRequestsService(broker: RequestBroker): Requests {
  return {
    pendingRequests: async (sessionId) => broker.pending(sessionId),
    answerRequest: (id, answer, by) => broker.answer(id, answer, by ?? "local"),
  };
}
