// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  type Answer,
  type Answered,
  type ApprovalRequest,
  apiError,
  type Decision,
  type Question,
  type Request,
  type RequestOutcome,
  type Ui,
} from "@blitz/api";
import { checkAnswer } from "./check-answer.js";
import { startExpiry } from "./expiry.js";

/** What asking needs. */
export interface RequestBrokerDeps {
  readonly now: () => Date;
  /** 96 random bits in hex. */
  readonly newId: () => string;
  /** The front end of this process, asked beside everybody else; `undefined` = none. */
  readonly ui: () => Ui | undefined;
  /** Without a front end of its own, requests wait for any client; else nobody can be asked. */
  readonly isHosted: boolean;
  /** Requests nobody answers are denied after this; 0 = never (SVC-26). */
  readonly expiryMs: number;
}

/** How a request ended, as its asker learns it. */
export type Settled =
  | { readonly outcome: "answered"; readonly answer: Decision | Answer; readonly by: string }
  | { readonly outcome: "failed"; readonly why: string }
  | { readonly outcome: "expired" | "cancelled" | "nobody" };

/** A request as the turn's file keeps it: with its call, and with its end when the turn wasn't there to take it. */
export interface SavedRequest {
  readonly request: Request;
  readonly callId: string;
  readonly settled?: Settled;
}

/** What a turn is told of its requests. */
export interface TurnHooks {
  /** Resolves when `saved()` is on disk; awaited before a request is shown and before its asker goes on (SVC-25). */
  readonly save: () => Promise<void>;
  readonly onAsked: (request: Request) => void;
  readonly onResolved: (resolved: {
    readonly id: string;
    readonly outcome: RequestOutcome;
    readonly by: string;
    readonly answer?: Decision | Answer;
  }) => void;
  /** A request of a suspended turn has ended: the turn can go on. */
  readonly onReady: () => void;
}

/** The turn whose requests these are. */
export interface AskingTurn {
  readonly sessionId: string;
  readonly turnId: string;
  /** Nobody will answer: requests are refused at once (SVC-23). */
  readonly refuses: boolean;
  /** What it was waiting for before a restart. */
  readonly saved?: readonly SavedRequest[];
}

/** One turn's requests. */
export interface TurnRequests {
  /** Whether anybody can answer. */
  readonly canAsk: () => boolean;
  /** Waits for an answer; an equal request of the same call that was saved is gone on with, not asked again. */
  ask(what: Asked, callId: string, signal: AbortSignal): Promise<Settled>;
  /** What waits now, and what ended without its asker. */
  saved(): readonly SavedRequest[];
  /** Withdraws what was saved and no call asks any more: rules may have changed meanwhile (ENG-104). */
  withdrawUnasked(): Promise<void>;
  /** The turn has ended: what still waits is withdrawn. Resolves when everybody has been told. */
  end(): Promise<void>;
}

/** What is asked. */
export type Asked = { readonly approval: ApprovalRequest } | { readonly question: Question };

/** Requests of all turns of a workspace; the first valid answer wins (SVC-26). */
export interface RequestBroker {
  open(turn: AskingTurn, hooks: TurnHooks): TurnRequests;
  /** The requests of a turn that is open. */
  of(turnId: string): TurnRequests | undefined;
  /** Oldest first. */
  pending(sessionId?: string): readonly Request[];
  /** @throws ApiError `UNKNOWN_REQUEST`, `INVALID_DECISION`, `INVALID_ANSWER` */
  answer(id: string, answer: Decision | Answer, by: string): Promise<Answered>;
}

interface Entry {
  readonly request: Request;
  readonly callId: string;
  readonly hooks: TurnHooks;
  readonly prompt: AbortController;
  stopExpiry: () => void;
  settled: Settled | undefined;
  /** The asker, once one waits. */
  resolve: ((settled: Settled) => void) | undefined;
}

/** How long a late answer is told whose counts. */
const REMEMBER_MS: number = 10 * 60_000;

/** A broker without requests. */
export function createRequestBroker(deps: RequestBrokerDeps): RequestBroker {
  const shown = new Map<string, Entry>();
  const turns = new Map<string, TurnRequests>();
  const past = new Map<string, { readonly answered: Answered; readonly at: number }>();

  /** Ends a request once: nobody else can answer it, its prompt closes, its end is saved, its asker goes on. */
  const settle = async (entry: Entry, settled: Settled): Promise<void> => {
    if (entry.settled !== undefined) return;
    entry.settled = settled;
    shown.delete(entry.request.id);
    entry.stopExpiry();
    entry.prompt.abort();
    await entry.hooks.save();
    entry.hooks.onResolved({ id: entry.request.id, ...resolutionOf(settled) });
    if (entry.resolve !== undefined) entry.resolve(settled);
    else if (settled.outcome !== "cancelled") entry.hooks.onReady();
  };
  const show = (entry: Entry): void => {
    shown.set(entry.request.id, entry);
    entry.stopExpiry = startExpiry(entry.request.expires, deps.now, () => void settle(entry, { outcome: "expired" }));
  };

  const broker: RequestBroker = {
    of: (turnId) => turns.get(turnId),
    pending: (sessionId) =>
      [...shown.values()]
        .map((entry) => entry.request)
        .filter((request) => sessionId === undefined || request.sessionId === sessionId),
    answer: async (id, answer, by) => {
      const now = deps.now().getTime();
      for (const [old, { at }] of past) if (now - at > REMEMBER_MS) past.delete(old);
      const entry = shown.get(id);
      if (entry === undefined) {
        const before = past.get(id);
        if (before === undefined) throw apiError("UNKNOWN_REQUEST", `nothing waits as ${id}`, { id });
        return { ...before.answered, won: false };
      }
      checkAnswer(entry.request, answer);
      const answered: Answered = { won: true, by, answer };
      past.set(id, { answered, at: now });
      await settle(entry, { outcome: "answered", answer, by });
      return answered;
    },
    open: (turn, hooks) => {
      const entries = new Set<Entry>();
      const entryOf = (request: Request, callId: string, settled?: Settled): Entry => {
        const prompt = new AbortController();
        return { request, callId, hooks, prompt, stopExpiry: () => undefined, settled, resolve: undefined };
      };
      for (const { request, callId, settled } of turn.saved ?? []) {
        const entry = entryOf(request, callId, settled);
        entries.add(entry);
        if (settled === undefined) show(entry);
      }
      const canAsk = (): boolean => !turn.refuses && (deps.isHosted || deps.ui() !== undefined);
      const withdraw = async (some: readonly Entry[]): Promise<void> => {
        for (const entry of some) entries.delete(entry);
        await Promise.all(some.map((entry) => settle(entry, { outcome: "cancelled" })));
      };
      const unasked = (callId?: string): Entry[] =>
        [...entries].filter((one) => one.resolve === undefined && (callId ?? one.callId) === one.callId);
      const requests: TurnRequests = {
        canAsk,
        withdrawUnasked: () => withdraw(unasked()),
        saved: () =>
          [...entries].map(({ request, callId, settled }) => ({
            request,
            callId,
            ...(settled === undefined ? {} : { settled }),
          })),
        ask: async (what, callId, signal) => {
          if (!canAsk()) return { outcome: "nobody" };
          const known = unasked(callId).find((one) => isSame(one.request, what));
          await withdraw(unasked(callId).filter((one) => one !== known)); // it asks something else now
          const entry = known ?? entryOf(newRequest(deps, turn, what), callId);
          entries.add(entry);
          if (known === undefined) {
            await hooks.save();
            if (!signal.aborted) {
              show(entry);
              hooks.onAsked(entry.request);
            }
          }
          const settled = await waitFor(entry, signal, () => askUi(deps.ui(), entry, broker, settle), settle);
          entries.delete(entry);
          await hooks.save();
          return settled;
        },
        end: async () => {
          turns.delete(turn.turnId);
          await withdraw([...entries]);
        },
      };
      turns.set(turn.turnId, requests);
      return requests;
    },
  };
  return broker;
}

/** Waits until the request has ended; an abort ends it. */
async function waitFor(
  entry: Entry,
  signal: AbortSignal,
  begin: () => void,
  settle: (entry: Entry, settled: Settled) => Promise<void>,
): Promise<Settled> {
  if (entry.settled !== undefined) return entry.settled;
  const done = Promise.withResolvers<Settled>();
  entry.resolve = done.resolve;
  const onAbort = (): void => void settle(entry, { outcome: "cancelled" });
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    else begin();
    return await done.promise;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Asks this process's own front end beside everybody else; one that throws can't answer (APR-12). */
function askUi(
  ui: Ui | undefined,
  entry: Entry,
  broker: RequestBroker,
  settle: (entry: Entry, settled: Settled) => Promise<void>,
): void {
  if (ui === undefined) return;
  const { request, prompt } = entry;
  const asking =
    "approval" in request ? ui.approve(request.approval, prompt.signal) : ui.ask(request.question, prompt.signal);
  asking
    .then((answer) => broker.answer(request.id, answer, "local"))
    .catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      return settle(entry, { outcome: "failed", why }); // changes nothing when it was answered elsewhere
    });
}

function newRequest(deps: RequestBrokerDeps, turn: AskingTurn, what: Asked): Request {
  const created = deps.now();
  const expires = deps.isHosted && deps.expiryMs > 0 ? { expires: new Date(created.getTime() + deps.expiryMs) } : {};
  return { id: deps.newId(), sessionId: turn.sessionId, turnId: turn.turnId, created, ...expires, ...what };
}

/** Whether the call asks the same again: what was shown then is what would be shown now (FS-31). */
function isSame(request: Request, what: Asked): boolean {
  const before = "approval" in request ? request.approval : request.question;
  const now = "approval" in what ? what.approval : what.question;
  return JSON.stringify(before) === JSON.stringify(now);
}

function resolutionOf(settled: Settled): {
  readonly outcome: RequestOutcome;
  readonly by: string;
  readonly answer?: Decision | Answer;
} {
  if (settled.outcome === "answered") return settled;
  return { outcome: settled.outcome === "expired" ? "expired" : "cancelled", by: "" };
}
