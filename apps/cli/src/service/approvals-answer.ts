// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Answer, type Answered, type Decision, isReason, type Request } from "@blitz/api";
import { type Parsed, usage } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import { printable } from "../output/output.js";
import type { Program } from "../program.js";
import { UsageError } from "../usage-error.js";
import { type RunningService, withService } from "./running-service.js";
import { answerText } from "./request-words.js";
import { openWorkspaces, waitingRequests } from "./waiting-requests.js";

const DECISIONS: Readonly<Record<string, Decision>> = {
  once: "once",
  session: "session",
  always: "always",
  deny: "deny",
};

/** `blitz approvals answer <id> …`: answers a request of any open workspace; 1 when another answer came first. */
export async function answerApproval(line: Parsed, program: Program, given: readonly string[]): Promise<number> {
  const [id, ...words] = given;
  if (id === undefined) throw usage(line.command, "which request? blitz approvals lists them");
  if (words.join("").trim() === "")
    throw usage(line.command, "an answer is missing: once, session, always or deny; to a question text or options");
  return await withService(program, async (running) => {
    const waiting = (await waitingRequests(running, undefined)).find((one) => one.request.id === id);
    const { won, by, answer } =
      waiting === undefined
        ? await answerLate(running, id, words)
        : await waiting.backend.answerRequest(id, answerOf(waiting.request, words));
    const { t } = running.messages;
    const text = t(won ? "approvals.answered" : "follow.too_late", { by, answer: answerText(answer) });
    (won ? program.stdout : program.stderr).write(`${printable(text)}\n`);
    return won ? EXIT.ok : EXIT.failed;
  });
}

/** What the words answer. @throws UsageError when they don't fit */
export function answerOf(request: Request, words: readonly string[]): Decision | Answer {
  if ("approval" in request) {
    const decision = words.length === 1 ? decisionOf(words[0]) : undefined;
    if (decision === undefined)
      throw new UsageError(`an approval is answered by ${Object.keys(DECISIONS).join(", ")}, not "${words.join(" ")}"`);
    return decision;
  }
  const { options } = request.question;
  const isKeys = words.every((word) => options.some((option) => option.key === word));
  return isKeys ? { keys: words } : { text: words.join(" ") };
}

function decisionOf(word: string = ""): Decision | undefined {
  return Object.hasOwn(DECISIONS, word) ? DECISIONS[word] : undefined;
}

/** One that waits no more: whoever answered it is remembered for a while (SVC-26). */
async function answerLate(running: RunningService, id: string, words: readonly string[]): Promise<Answered> {
  const answer = (words.length === 1 ? decisionOf(words[0]) : undefined) ?? { text: words.join(" ") };
  for (const workspace of await openWorkspaces(running, undefined)) {
    try {
      return await (await running.workspace(workspace)).answerRequest(id, answer);
    } catch (error) {
      if (!isReason(error, "UNKNOWN_REQUEST")) throw error;
    }
  }
  throw new UsageError(`no request ${id} waits; blitz approvals --all lists them`);
}
