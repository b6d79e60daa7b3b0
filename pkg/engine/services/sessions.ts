// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Message, SessionInfo, Sessions } from "@blitz/api";
import { apiError } from "@blitz/api";
import type { Metadata, Session, SessionStore } from "../session/index.js";

/** What the session operations need. */
export interface SessionsServiceDeps {
  readonly store: SessionStore;
  /** Whether a turn runs or waits in a session. */
  readonly isLive: (id: string) => boolean;
  /** The active agent's name, for new sessions. */
  readonly agent: () => string;
  readonly audit: {
    write(entry: { readonly kind: "session_start"; readonly session: string; readonly detail: string }): void;
  };
}

/** Choosing and listing sessions (17). */
export function createSessionsService({ store, isLive, agent, audit }: SessionsServiceDeps): Sessions {
  const create = (inBackground = false): Session => {
    const session = inBackground ? store.createBackground(agent()) : store.create(agent());
    audit.write({ kind: "session_start", session: session.id, detail: inBackground ? "background" : "new" });
    return session;
  };
  return {
    openSession: async (resume, continueLatest) => {
      const ref = resume !== "" ? resume : continueLatest ? "latest" : "";
      if (ref === "") return { session: infoOf(create().meta), resumed: false };
      const session = await store.resume(ref);
      audit.write({ kind: "session_start", session: session.id, detail: "resumed" });
      return { session: infoOf(session.meta, await session.messages()), resumed: true };
    },
    activeSession: async () => {
      const session = store.active();
      return session === undefined ? undefined : infoOf(session.meta, await session.messages());
    },
    listSessions: async (all) => (await store.list(all)).map((meta) => infoOf(meta)),
    newSession: async (origin) => infoOf(create(origin === "background").meta),
    renameSession: async (title) => {
      const session = store.active();
      if (session === undefined) throw apiError("NO_ACTIVE_SESSION", "no session is open", {});
      await session.rename(title);
    },
    deleteSession: async (id) => {
      if (isLive(id)) throw apiError("SESSION_OPEN", `a turn runs or waits in session ${id}`, { id });
      await store.remove(id);
    },
  };
}

function infoOf(meta: Metadata, messages?: readonly Message[]): SessionInfo {
  const { id, title, agent, workspace, origin, messageCount, created, updated } = meta;
  return {
    id,
    title,
    agent,
    workspace,
    origin,
    messageCount,
    created,
    updated,
    ...(messages === undefined ? {} : { messages }),
  };
}
