// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Backend, type LiveEvent, NO_USAGE, type Request, type TurnEnd, type TurnState } from "@blitz/api";
import { SessionService } from "@blitz/proto/session";
import type { TurnEvent } from "@blitz/proto/turn";
import { WorkspaceService } from "@blitz/proto/workspace";
import { errorToConnect, liveEventToWire, turnStateToWire } from "@blitz/wire";
import { Code, ConnectError, createRouterTransport, type ServiceImpl, type Transport } from "@connectrpc/connect";
import { attachTransport } from "../attach.js";
import type { Reconnect } from "../reconnect.js";

/** The operations a test's service has; the others are unimplemented, as in an older one. */
export type Sessions = Partial<ServiceImpl<typeof SessionService>>;
/** The same of workspaces. */
export type Workspaces = Partial<ServiceImpl<typeof WorkspaceService>>;

/** A service in this process; what its operations throw is sent as a service sends it. */
export function transportTo(sessions: Sessions, workspaces: Workspaces = {}): Transport {
  return createRouterTransport(({ service }) => {
    service(SessionService, sending(sessions));
    service(WorkspaceService, sending({ getModel: () => ({ name: "m", provider: "p" }), ...workspaces }));
  });
}

/** The operations, with their errors made what goes over the wire. */
function sending<Operations extends object>(operations: Operations): Operations {
  const wrapped = Object.entries(operations).map(([name, operation]) => {
    const call = async (...given: unknown[]): Promise<unknown> => {
      try {
        return await operation(...given);
      } catch (error) {
        throw errorToConnect(error);
      }
    };
    const stream = async function* (...given: unknown[]): AsyncGenerator<unknown> {
      try {
        yield* operation(...given);
      } catch (error) {
        throw errorToConnect(error);
      }
    };
    return [name, STREAMS.includes(name) ? stream : call];
  });
  return Object.fromEntries(wrapped) as Operations;
}

const STREAMS: readonly string[] = ["runTurn", "watchSession", "watchBackground"];

/** A backend in such a service, what it warned of, and how long it would have waited. */
export interface Attached {
  readonly backend: Backend;
  readonly warnings: string[];
  readonly waits: number[];
}

/** A backend attached to such a service, what it warned of, and how long it would have waited. */
export async function attachTo(sessions: Sessions, workspaces: Workspaces = {}): Promise<Attached> {
  const warnings: string[] = [];
  const waits: number[] = [];
  const reconnect: Reconnect = {
    retryDelaysMs: [1, 2, 3],
    delay: async (ms) => void waits.push(ms),
  };
  const warn = (text: string): void => void warnings.push(text);
  const backend: Backend = await attachTransport(transportTo(sessions, workspaces), "/ws", warn, reconnect);
  return { backend, warnings, waits };
}

/** A live event of turn e-1 without its number. */
export type Happening = LiveEvent extends infer T ? (T extends unknown ? Omit<T, "n" | "turnId"> : never) : never;

/** An event as it is streamed. */
export function message(n: number, happening: Happening, turnId = "e-1"): { readonly event: TurnEvent } {
  return { event: liveEventToWire({ ...happening, n, turnId }) };
}

/** A state as it is streamed. */
export function stateMessage(state: Partial<TurnState> = {}): { readonly event: TurnEvent } {
  const idle = { turnId: "e-1", sessionId: "s", by: "x", phase: "running", firstEvent: 1, lastEvent: 0, requests: [] };
  return { event: turnStateToWire({ ...idle, ...state } as TurnState) };
}

/** What the model says. */
export const say = (text: string): Happening => ({
  type: "turn",
  event: { author: "blitz", type: "notice", text, error: false },
});

/** The prompt is recorded. */
export const accepted: Happening = { type: "accepted", by: "x" };

/** The turn's end. */
export const finished = (end: Partial<TurnEnd> = {}): Happening => ({
  type: "finished",
  end: { output: "done", before: NO_USAGE, after: NO_USAGE, leftover: [], ...end },
});

/** What waits for a person. */
export function approval(id: string): Request {
  const what = {
    tool: "t",
    kind: "run_command",
    detail: id,
    key: "",
    keyLabel: "",
    targets: [],
    mustAsk: false,
  } as const;
  return { id, sessionId: "s", turnId: "e-1", created: new Date(0), approval: what };
}

/** A connection that broke. */
export const gone = (): ConnectError => new ConnectError("socket hang up", Code.Unavailable);

/** A call's failure; fails itself when the call doesn't. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("it didn't fail");
}

/** A stream that fails before its first message. */
export async function* failing(error: unknown): AsyncGenerator<never> {
  yield* [];
  throw error;
}
