// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type TaskItem, type TurnEvent, unreachable } from "@blitz/api";
import { TaskStatus, type TurnEventSchema, type TurnEvent as WireEvent } from "@blitz/proto/turn";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { jsonToWire } from "./json.js";
import { nameOf } from "./named.js";
import { textToWire } from "./text.js";

/** What a TurnEvent message says happened. */
export type WireHappening = NonNullable<MessageInitShape<typeof TurnEventSchema>["event"]>;

const STATUSES: Readonly<Record<TaskItem["status"], TaskStatus>> = {
  pending: TaskStatus.PENDING,
  in_progress: TaskStatus.IN_PROGRESS,
  done: TaskStatus.DONE,
};

/** What a turn tells of the agent's work, on the wire; its author is a field of the message around it. */
export function turnEventToWire(event: TurnEvent): WireHappening {
  switch (event.type) {
    case "text": {
      const { text, partial, repeat, thought } = event;
      return { case: "text", value: { text: textToWire(text), partial, repeat, thought } };
    }
    case "tool_call": {
      const { id, name, args, partial } = event;
      return {
        case: "toolCall",
        value: { id: textToWire(id), name: textToWire(name), args: jsonToWire(args), partial },
      };
    }
    case "tool_result": {
      const { id, name, result } = event;
      return { case: "toolResult", value: { id: textToWire(id), name: textToWire(name), result: jsonToWire(result) } };
    }
    case "tasks": {
      const items = event.items.map(({ content, status }) => ({
        content: textToWire(content),
        status: STATUSES[status],
      }));
      return { case: "tasks", value: { items } };
    }
    case "notice":
      return { case: "notice", value: { text: textToWire(event.text), error: event.error } };
    default:
      return unreachable(event);
  }
}

/** What a turn tells of the agent's work, off the wire; `undefined` for anything else. */
export function turnEventFromWire({ author, event }: WireEvent): TurnEvent | undefined {
  switch (event.case) {
    case "text": {
      const { text, partial, repeat, thought } = event.value;
      return { author, type: "text", text, partial, repeat, thought };
    }
    case "toolCall": {
      const { id, name, args = {}, partial } = event.value;
      return { author, type: "tool_call", id, name, args, partial };
    }
    case "toolResult": {
      const { id, name, result = {} } = event.value;
      return { author, type: "tool_result", id, name, result };
    }
    case "tasks": {
      const items = event.value.items.map(({ content, status }) => ({
        content,
        status: nameOf(STATUSES, status) ?? "pending",
      }));
      return { author, type: "tasks", items };
    }
    case "notice":
      return { author, type: "notice", text: event.value.text, error: event.value.error };
    case "state":
    case "accepted":
    case "approvalRequest":
    case "question":
    case "requestResolved":
    case "finished":
    case undefined:
      return undefined;
    default:
      return unreachable(event);
  }
}
