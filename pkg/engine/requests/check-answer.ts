// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Answer, apiError, type Decision, type Request } from "@blitz/api";

const DECISIONS: readonly unknown[] = ["deny", "once", "session", "always"] satisfies readonly Decision[];

/**
 * Whether an answer fits what was asked (CTR-11): a decision for an approval, known keys or free text
 * for a question.
 *
 * @throws ApiError `INVALID_DECISION`, `INVALID_ANSWER`
 */
export function checkAnswer(request: Request, answer: Decision | Answer): void {
  if ("approval" in request) {
    if (!DECISIONS.includes(answer))
      throw apiError("INVALID_DECISION", "an approval is answered by deny, once, session or always", {});
    return;
  }
  if (typeof answer === "string") throw apiError("INVALID_ANSWER", "a question is answered by keys or text", {});
  if ("text" in answer) return;
  const { options, multiSelect } = request.question;
  const unknown = answer.keys.find((key) => !options.some((option) => option.key === key));
  if (unknown !== undefined) throw apiError("INVALID_ANSWER", `there is no option ${unknown}`, {});
  if (answer.keys.length === 0) throw apiError("INVALID_ANSWER", "the answer is empty", {});
  if (answer.keys.length > 1 && multiSelect !== true)
    throw apiError("INVALID_ANSWER", "only one option can be chosen", {});
}
