// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type SessionInfo, type Sessions } from "@blitz/api";
import type { SessionInfo as WireSession } from "@blitz/proto/session";
import { sessionInfoFromWire, textToWire } from "@blitz/wire";
import { answered } from "./reconnect.js";
import type { RemoteDeps } from "./remote.js";

/** Sessions in the service. */
export function createRemoteSessions({ sessions, workspace }: Pick<RemoteDeps, "sessions" | "workspace">): Sessions {
  return {
    openSession: async (resume, continueLatest) => {
      const request = { workspace, resume: textToWire(resume), continueLatest };
      const { session, resumed } = await answered(sessions.openSession(request));
      return { session: required(session), resumed };
    },
    activeSession: async () => {
      const { session } = await answered(sessions.getActiveSession({ workspace }));
      return session === undefined ? undefined : sessionInfoFromWire(session);
    },
    listSessions: async (all) => {
      const { sessions: listed } = await answered(sessions.listSessions({ workspace, all }));
      return listed.map(sessionInfoFromWire);
    },
    newSession: async (origin) => {
      // The service makes those itself, and a session made here would be the active one.
      if (origin !== undefined) throw apiError("INTERNAL", "a background session is made by startBackground", {});
      return required((await answered(sessions.newSession({ workspace }))).session);
    },
    renameSession: async (title) => {
      await answered(sessions.renameSession({ workspace, title: textToWire(title) }));
    },
    deleteSession: async (id) => {
      await answered(sessions.deleteSession({ workspace, sessionId: textToWire(id) }));
    },
  };
}

function required(session: WireSession | undefined): SessionInfo {
  if (session === undefined) throw apiError("INTERNAL", "the service answered without a session", {});
  return sessionInfoFromWire(session);
}
