// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, Answered, Decision, Requests } from "@blitz/api";
import {
  answerFromWire,
  answerToWire,
  decisionFromWire,
  decisionToWire,
  requestFromWire,
  textToWire,
} from "@blitz/wire";
import { answered } from "./reconnect.js";
import type { RemoteDeps } from "./remote.js";

/** What waits for a person in the service. */
export function createRemoteRequests(deps: Pick<RemoteDeps, "sessions" | "workspace">): Requests {
  const { sessions, workspace } = deps;
  return {
    pendingRequests: async (sessionId = "") => {
      const request = { workspace, sessionId: textToWire(sessionId) };
      const { requests } = await answered(sessions.listRequests(request));
      return requests.flatMap((one) => requestFromWire(one) ?? []);
    },
    answerRequest: (id, answer) => answered(sendAnswer(deps, id, answer)),
  };
}

/** Sends an answer as it is: a decision to an approval, keys or text to a question. Fails as the call does. */
export async function sendAnswer(
  { sessions, workspace }: Pick<RemoteDeps, "sessions" | "workspace">,
  id: string,
  answer: Decision | Answer,
): Promise<Answered> {
  const requestId = textToWire(id);
  if (typeof answer === "string") {
    const counts = await sessions.approve({ workspace, requestId, decision: decisionToWire(answer) });
    return { won: counts.won, by: counts.by, answer: decisionFromWire(counts.decision) ?? "deny" };
  }
  const counts = await sessions.answer({ workspace, requestId, ...answerToWire(answer) });
  return { won: counts.won, by: counts.by, answer: answerFromWire(counts) };
}
