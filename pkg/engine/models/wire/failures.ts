// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { ModelError, type ModelErrorKind } from "../chat-model.js";
import { retryAfterMs } from "./retry-after.js";
import { describeMs, Stalled } from "./stall-watch.js";

/** Whose call failed, for messages. */
export interface About {
  readonly provider: string;
  readonly model: string;
  /** Never shown; what a message must not hold. */
  readonly secret: string;
  /** What to set when the provider refuses the key. */
  readonly keyHint: string;
}

/** An answer with an error status. */
export interface HttpFailure {
  readonly status: number;
  readonly headers?: Headers;
  /** The parsed body, or its text. */
  readonly body: unknown;
}

/** An error status as an error of ours (MDL-30). */
export function fromHttp(about: About, failure: HttpFailure, cause?: unknown): ModelError {
  const { status } = failure;
  const said = sayingOf(failure.body);
  const kind = kindOfHttp(status, said);
  const wait = retryAfterMs(failure.headers, Date.now());
  return new ModelError(
    kind,
    clean(about, messageFor(about, kind, status, said, wait)),
    { provider: about.provider, model: about.model, status, ...(wait === undefined ? {} : { retryAfterMs: wait }) },
    cause,
  );
}

/** An error the provider sent inside a successful answer (MDL-33). `said` is the error object. */
export function fromStreamError(about: About, said: unknown): ModelError {
  const { type, message } = sayingOf({ error: said });
  const kind = STREAM_KINDS[type] ?? (isFull(message) ? "context_full" : "api");
  return new ModelError(
    kind,
    clean(about, `${about.provider} stopped the answer: ${message || type || "no reason given"}`),
    about,
  );
}

/** An answer that can't be used: it ended without its end, or holds something unreadable (MDL-33). */
export function unusable(about: About, what: string, cause?: unknown): ModelError {
  return new ModelError("network", clean(about, `${about.provider}: ${what}`), about, cause);
}

/**
 * What was thrown during a call, as an error of ours. The caller's abort keeps its own reason.
 *
 * @param signal - the watch's signal: its reason tells a stall from an abort
 */
export function fromThrown(about: About, thrown: unknown, signal: AbortSignal): unknown {
  if (thrown instanceof ModelError) return thrown;
  if (signal.aborted && signal.reason instanceof Stalled) {
    const message = `model API stopped responding: no data for ${describeMs(signal.reason.limitMs)}`;
    return new ModelError("stalled", message, about, thrown);
  }
  if (signal.aborted) return signal.reason;
  const { status, headers, error } = thrown as { status?: unknown; headers?: unknown; error?: unknown };
  if (typeof status === "number") {
    const body = error ?? parsed((thrown as Error).message);
    return fromHttp(about, { status, body, ...(headers instanceof Headers ? { headers } : {}) }, thrown);
  }
  return unusable(about, deepestMessage(thrown), thrown);
}

const STREAM_KINDS: Readonly<Record<string, ModelErrorKind>> = {
  overloaded_error: "overloaded",
  rate_limit_error: "rate_limited",
  rate_limit_exceeded: "rate_limited",
  insufficient_quota: "quota",
  authentication_error: "auth",
  permission_error: "auth",
  invalid_request_error: "bad_request",
  context_length_exceeded: "context_full",
  server_error: "api",
  UNAVAILABLE: "overloaded",
  RESOURCE_EXHAUSTED: "quota",
  INVALID_ARGUMENT: "bad_request",
  UNAUTHENTICATED: "auth",
  PERMISSION_DENIED: "auth",
};

interface Saying {
  readonly message: string;
  readonly type: string;
}

function kindOfHttp(status: number, { type, message }: Saying): ModelErrorKind {
  if (type === "RESOURCE_EXHAUSTED" || type === "insufficient_quota") return "quota";
  if (status === 401 || status === 403) return "auth";
  if (status === 429) return "rate_limited";
  if (status === 529 || status === 503 || type === "overloaded_error") return "overloaded";
  if (status === 413 || type === "context_length_exceeded" || (status === 400 && isFull(message)))
    return "context_full";
  if (status === 400 || status === 404 || status === 405 || status === 422) return "bad_request";
  return "api";
}

/** Providers say a prompt is too long in words only. */
function isFull(message: string): boolean {
  return /prompt is too long|context (length|window)|maximum context|exceeds? the (maximum|context)|input token count/i.test(
    message,
  );
}

function messageFor(
  about: About,
  kind: ModelErrorKind,
  status: number,
  said: Saying,
  wait: number | undefined,
): string {
  const detail = said.message === "" ? "" : `: ${said.message}`;
  switch (kind) {
    case "auth":
      return `${about.provider}: authentication failed (${status})${detail}; check ${about.keyHint}`;
    case "quota":
      return about.provider === "gemini"
        ? `quota exceeded${detail} (raise the quota in the Google Cloud console, IAM & Admin › Quotas, or wait for it to reset)`
        : `${about.provider}: quota exceeded${detail}`;
    case "rate_limited":
      return `${about.provider}: rate limited${wait === undefined ? "" : `, asked to wait ${describeMs(wait)}`}${detail}`;
    case "overloaded":
      return `${about.provider} is overloaded (${status})${detail}`;
    case "bad_request":
    case "stalled":
    case "context_full":
    case "network":
    case "api":
      return `${about.provider}: API error (${status})${detail}`;
  }
}

/** The message and type of an error body, in whichever provider's form. */
function sayingOf(body: unknown): Saying {
  if (typeof body === "string") {
    const inner = parsed(body);
    return inner === body ? { message: firstLine(body), type: "" } : sayingOf(inner);
  }
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof first !== "object" || first === null) return { message: "", type: "" };
  const outer = first as Record<string, unknown>;
  if (typeof outer["error"] === "string") return { message: firstLine(outer["error"]), type: "" };
  const error = (typeof outer["error"] === "object" && outer["error"] !== null ? outer["error"] : outer) as Record<
    string,
    unknown
  >;
  const words = [error["code"], error["status"], error["type"]].filter((word) => typeof word === "string");
  const type = words.find((word) => word in STREAM_KINDS) ?? words[0] ?? "";
  return { message: firstLine(typeof error["message"] === "string" ? error["message"] : ""), type };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 500 ? `${line.slice(0, 500).toWellFormed()}…` : line;
}

function deepestMessage(thrown: unknown): string {
  let at: unknown = thrown;
  while (at instanceof Error && at.cause instanceof Error && !at.message.startsWith("can't reach")) at = at.cause;
  return at instanceof Error && at.message !== "" ? firstLine(at.message) : "the connection failed";
}

/** Keys never appear in messages (WS-80). */
function clean(about: About, message: string): string {
  return about.secret.length < 4 ? message : message.replaceAll(about.secret, "[key]");
}
