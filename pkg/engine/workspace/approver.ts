// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Decision } from "@blitz/api";
import type { GateApprover } from "../approvals/index.js";
import type { RequestBroker } from "../requests/index.js";

/** The gate's approver: whoever answers the request of the turn whose call asks. */
export function createApprover(broker: RequestBroker): GateApprover {
  return async (approval, signal, { turnId, callId }) => {
    const settled = await broker.of(turnId)?.ask({ approval }, callId, signal);
    switch (settled?.outcome) {
      case "answered":
        return { decision: settled.answer as Decision, by: settled.by }; // the broker lets only decisions through
      case "expired":
      case "cancelled":
        return { decision: settled.outcome };
      case "failed":
        return { decision: "error" };
      case "nobody":
      case undefined:
        return { decision: "nobody" };
      default:
        return settled satisfies never;
    }
  };
}
