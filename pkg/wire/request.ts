// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type ApprovalKind, type ApprovalRequest, type Question, type Request, unreachable } from "@blitz/api";
import {
  ActionKind,
  type ApprovalRequestSchema,
  type QuestionSchema,
  type RequestSchema,
  type ApprovalRequest as WireApproval,
  type Question as WireQuestion,
  type Request as WireRequest,
} from "@blitz/proto/turn";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { nameOf } from "./named.js";
import { textsToWire, textToWire } from "./text.js";
import { dateFromWire, dateToWire, requiredDate } from "./time.js";

const KINDS: Readonly<Record<ApprovalKind, ActionKind>> = {
  run_command: ActionKind.COMMAND,
  write_file: ActionKind.WRITE,
  delete_file: ActionKind.DELETE,
  network: ActionKind.NETWORK,
  mcp_tool: ActionKind.MCP,
};

type Waiting = Pick<Request, "id" | "sessionId" | "turnId" | "created" | "expires">;

/** What waits for a person, on the wire. */
export function requestToWire(request: Request): MessageInitShape<typeof RequestSchema> {
  return "approval" in request
    ? { request: { case: "approval", value: approvalToWire(request, request.approval) } }
    : { request: { case: "question", value: questionToWire(request, request.question) } };
}

/** What waits for a person, off the wire; `undefined` for a kind of a newer peer. */
export function requestFromWire({ request }: WireRequest): Request | undefined {
  switch (request.case) {
    case "approval":
      return approvalFromWire(request.value);
    case "question":
      return questionFromWire(request.value);
    case undefined:
      return undefined;
    default:
      return unreachable(request);
  }
}

/** An approval that waits, on the wire. */
export function approvalToWire(
  waiting: Waiting,
  approval: ApprovalRequest,
): MessageInitShape<typeof ApprovalRequestSchema> {
  return {
    ...waitingToWire(waiting),
    tool: textToWire(approval.tool),
    kind: KINDS[approval.kind],
    detail: textToWire(approval.detail),
    diff: textToWire(approval.diff ?? ""),
    key: textToWire(approval.key),
    scopeLabel: textToWire(approval.keyLabel),
    targets: textsToWire(approval.targets),
    mustAsk: approval.mustAsk,
    ...askerToWire(approval),
  };
}

/** An approval that waits, off the wire; an action of a newer peer's kind is shown as the gravest, a command. */
export function approvalFromWire(message: WireApproval): Request {
  return {
    ...waitingFromWire(message),
    approval: {
      tool: message.tool,
      kind: nameOf(KINDS, message.kind) ?? "run_command",
      detail: message.detail,
      ...(message.diff === "" ? {} : { diff: message.diff }),
      key: message.key,
      keyLabel: message.scopeLabel,
      targets: [...message.targets],
      mustAsk: message.mustAsk,
      ...askerFromWire(message),
    },
  };
}

/** A question that waits, on the wire. */
export function questionToWire(waiting: Waiting, question: Question): MessageInitShape<typeof QuestionSchema> {
  return {
    ...waitingToWire(waiting),
    question: textToWire(question.question),
    plan: textToWire(question.plan ?? ""),
    options: question.options.map(({ key, label }) => ({ key: textToWire(key), label: textToWire(label) })),
    multiSelect: question.multiSelect === true,
    ...askerToWire(question),
  };
}

/** A question that waits, off the wire. */
export function questionFromWire(message: WireQuestion): Request {
  return {
    ...waitingFromWire(message),
    question: {
      question: message.question,
      ...(message.plan === "" ? {} : { plan: message.plan }),
      options: message.options.map(({ key, label }) => ({ key, label })),
      ...(message.multiSelect ? { multiSelect: true } : {}),
      ...askerFromWire(message),
    },
  };
}

function waitingToWire({ id, sessionId, turnId, created, expires }: Waiting) {
  return {
    requestId: textToWire(id),
    sessionId: textToWire(sessionId),
    turnId: textToWire(turnId),
    created: dateToWire(created),
    ...(expires === undefined ? {} : { expires: dateToWire(expires) }),
  };
}

function waitingFromWire(message: WireApproval | WireQuestion): Waiting {
  const expires = dateFromWire(message.expires);
  return {
    id: message.requestId,
    sessionId: message.sessionId,
    turnId: message.turnId,
    created: requiredDate(message.created),
    ...(expires === undefined ? {} : { expires }),
  };
}

function askerToWire({ agent = "", taskId = "" }: Pick<Question, "agent" | "taskId">) {
  return { agent: textToWire(agent), taskId: textToWire(taskId) };
}

function askerFromWire({ agent, taskId }: WireApproval | WireQuestion): Pick<Question, "agent" | "taskId"> {
  return { ...(agent === "" ? {} : { agent }), ...(taskId === "" ? {} : { taskId }) };
}
