// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { apiError, type Turn } from "@blitz/api";
import type { SessionService } from "@blitz/proto/session";
import {
  answerToWire,
  backgroundRunToWire,
  decisionFromWire,
  decisionToWire,
  requestToWire,
  sessionInfoToWire,
  turnFromWire,
  usageToWire,
} from "@blitz/wire";
import { clientName } from "../server/index.js";
import { type HandlerDeps, workspaceOf } from "./context.js";
import { createLiveStream } from "./live-stream.js";

/** SessionService: each RPC's reasons are those of the contract's operation it calls (41). */
export function createSessionService(deps: HandlerDeps): ServiceImpl<typeof SessionService> {
  const by = (context: HandlerContext): string => clientName(context.requestHeader);
  return {
    listSessions: async (request, context) => {
      const sessions = await (await workspaceOf(deps, request, context)).listSessions(request.all);
      return { sessions: sessions.map(sessionInfoToWire) };
    },
    getActiveSession: async (request, context) => {
      const session = await (await workspaceOf(deps, request, context)).activeSession();
      return session === undefined ? {} : { session: sessionInfoToWire(session) };
    },
    newSession: async (request, context) => ({
      session: sessionInfoToWire(await (await workspaceOf(deps, request, context)).newSession()),
    }),
    openSession: async (request, context) => {
      const workspace = await workspaceOf(deps, request, context);
      const { session, resumed } = await workspace.openSession(request.resume, request.continueLatest);
      return { session: sessionInfoToWire(session), resumed };
    },
    renameSession: async (request, context) => {
      const workspace = await workspaceOf(deps, request, context);
      await workspace.renameSession(request.title);
      const session = await workspace.activeSession();
      return session === undefined ? {} : { session: sessionInfoToWire(session) };
    },
    deleteSession: async (request, context) => {
      await (await workspaceOf(deps, request, context)).deleteSession(request.sessionId);
      return {};
    },
    runTurn: async function* (request, context) {
      const workspace = await workspaceOf(deps, request, context);
      const stream = createLiveStream(deps.stopping, context);
      let hasBegun = false;
      // The turn is the service's: nothing of this call cancels it (SVC-22).
      const handlers = {
        onEvent: () => undefined,
        onLive: (event: Parameters<typeof stream.onEvent>[0]) => {
          hasBegun = true;
          stream.onEvent(event);
        },
        by: by(context),
      };
      workspace.run(request.sessionId, turnOf(request.turn), handlers).then(
        () => stream.end(),
        (error: unknown) => stream.end(hasBegun ? undefined : error), // told by `finished` once it has begun
      );
      yield* stream.messages();
    },
    watchSession: async function* (request, context) {
      const workspace = await workspaceOf(deps, request, context);
      const { sessionId, follow, turnId } = request;
      const stream = createLiveStream(deps.stopping, context);
      const from = { after: Number(request.after), follow, ...(turnId === "" ? {} : { turnId }) };
      const { onState, onEvent } = stream;
      workspace
        .watchSession(sessionId, from, { onState, onEvent, signal: context.signal })
        .then(() => stream.end(), stream.end);
      yield* stream.messages();
    },
    cancelTurn: async (request, context) => {
      const workspace = await workspaceOf(deps, request, context);
      return { cancelled: await workspace.cancelTurn(request.sessionId, request.turnId || undefined) };
    },
    steer: async (request, context) => {
      await (await workspaceOf(deps, request, context)).steer(request.sessionId, request.text, by(context));
      return {};
    },
    listRequests: async (request, context) => {
      const workspace = await workspaceOf(deps, request, context);
      const requests = await workspace.pendingRequests(request.sessionId === "" ? undefined : request.sessionId);
      return { requests: requests.map(requestToWire) };
    },
    approve: async (request, context) => {
      const workspace = await workspaceOf(deps, request, context);
      const decision = decisionFromWire(request.decision);
      if (decision === undefined) throw apiError("INVALID_DECISION", "no decision was given", {});
      const { won, by: winner, answer } = await workspace.answerRequest(request.requestId, decision, by(context));
      return { won, by: winner, decision: decisionToWire(answer) };
    },
    answer: async (request, context) => {
      const workspace = await workspaceOf(deps, request, context);
      const given = request.keys.length > 0 ? { keys: request.keys } : { text: request.text };
      const { won, by: winner, answer } = await workspace.answerRequest(request.requestId, given, by(context));
      return { won, by: winner, ...answerToWire(answer) };
    },
    getUsage: async (request, context) => ({
      usage: usageToWire(await (await workspaceOf(deps, request, context)).usage()),
    }),
    startBackground: async (request, context) => {
      const run = await deps.background.startBackground(request.workspace, turnOf(request.turn), by(context));
      return { run: backgroundRunToWire(run) };
    },
    listBackground: async () => ({ runs: (await deps.background.listBackground()).map(backgroundRunToWire) }),
    watchBackground: async function* (request, context) {
      const stream = createLiveStream(deps.stopping, context);
      const { onState, onEvent } = stream;
      deps.background
        .watchBackground(request.id, request.follow, { onState, onEvent, signal: context.signal })
        .then(() => stream.end(), stream.end);
      yield* stream.messages();
    },
    stopBackground: async (request) => ({
      run: backgroundRunToWire(await deps.background.stopBackground(request.id)),
    }),
  };
}

function turnOf(turn: Parameters<typeof turnFromWire>[0] | undefined): Turn {
  if (turn === undefined) throw apiError("INVALID_TURN", "there is no turn in the request", {});
  return turnFromWire(turn);
}
