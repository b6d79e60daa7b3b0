// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, Decision, JsonObject, Request, TurnState } from "@blitz/api";

/** What a request asks, in one sentence. */
export function detailOf(request: Request): string {
  if ("approval" in request) return request.approval.detail;
  const { question, plan = "" } = request.question;
  return question === "" ? plan : question;
}

/** What kind of thing waits: an approval's kind, a question or a plan. */
export function kindOf(request: Request): string {
  if ("approval" in request) return request.approval.kind;
  return request.question.plan === undefined ? "question" : "plan";
}

/** An answer in a word, or its text. */
export function answerText(answer: Decision | Answer | undefined): string {
  if (answer === undefined) return "";
  if (typeof answer === "string") return answer;
  return "keys" in answer ? answer.keys.join(", ") : answer.text;
}

/** What is asked, and the ID to answer it by. */
export type Asking = Pick<Request, "id"> &
  (Pick<Extract<Request, { approval: object }>, "approval"> | Pick<Extract<Request, { question: object }>, "question">);

/** A request as a line of `stream-json` (CLI-26); its ID is the one to answer by. */
export function requestObject(request: Asking): JsonObject {
  if ("question" in request) {
    const { question, plan, options, multiSelect } = request.question;
    return {
      type: "question",
      id: request.id,
      question: plan ?? question,
      plan: plan !== undefined,
      options: options.map(({ key, label }) => ({ key, label })),
      multi_select: multiSelect === true,
    };
  }
  const { tool, kind, detail, diff, targets, keyLabel, mustAsk } = request.approval;
  return {
    type: "approval_request",
    id: request.id,
    tool,
    kind,
    detail,
    ...(diff === undefined ? {} : { diff }),
    targets,
    key_label: keyLabel,
    must_ask: mustAsk,
  };
}

/** Where a turn is, as the first line of `stream-json`. */
export function stateObject(state: TurnState): JsonObject {
  return {
    type: "state",
    session_id: state.sessionId,
    turn_id: state.turnId,
    phase: state.phase,
    by: state.by,
    ...(state.started === undefined ? {} : { started: state.started.toISOString() }),
    first_event: state.firstEvent,
    last_event: state.lastEvent,
    requests: state.requests.map(requestObject),
  };
}
