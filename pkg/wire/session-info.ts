// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Message, SessionInfo } from "@blitz/api";
import type {
  MessageSchema,
  SessionInfoSchema,
  Message as WireMessage,
  SessionInfo as WireSession,
} from "@blitz/proto/session";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { smallCountToWire } from "./count.js";
import { textToWire } from "./text.js";
import { dateToWire, requiredDate } from "./time.js";

/** A session, on the wire. */
export function sessionInfoToWire(session: SessionInfo): MessageInitShape<typeof SessionInfoSchema> {
  const { messages } = session;
  return {
    id: textToWire(session.id),
    title: textToWire(session.title),
    agent: textToWire(session.agent),
    workspace: textToWire(session.workspace),
    origin: session.origin,
    messageCount: smallCountToWire(session.messageCount),
    created: dateToWire(session.created),
    updated: dateToWire(session.updated),
    hasMessages: messages !== undefined,
    messages: (messages ?? []).map(messageToWire),
  };
}

/** A session, off the wire; an origin of a newer peer keeps its name. */
export function sessionInfoFromWire(session: WireSession): SessionInfo {
  return {
    id: session.id,
    title: session.title,
    agent: session.agent,
    workspace: session.workspace,
    origin: session.origin as SessionInfo["origin"],
    messageCount: session.messageCount,
    created: requiredDate(session.created),
    updated: requiredDate(session.updated),
    ...(session.hasMessages ? { messages: session.messages.map(messageFromWire) } : {}),
  };
}

function messageToWire({ role, text, time, kind }: Message): MessageInitShape<typeof MessageSchema> {
  return { role, text: textToWire(text), time: dateToWire(time), kind };
}

/** A role or kind of a newer peer keeps its name. */
function messageFromWire({ role, text, time, kind }: WireMessage): Message {
  return { role: role as Message["role"], text, time: requiredDate(time), kind: kind as Message["kind"] };
}
