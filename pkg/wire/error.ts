// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { ApiError, apiError, isReason, REASONS, type Reason, type WireCode } from "@blitz/api";
import { type ErrorInfo, ErrorInfoSchema } from "@blitz/proto/turn";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { textToWire } from "./text.js";

const CODES: Readonly<Record<WireCode, Code>> = {
  invalid_argument: Code.InvalidArgument,
  not_found: Code.NotFound,
  already_exists: Code.AlreadyExists,
  permission_denied: Code.PermissionDenied,
  resource_exhausted: Code.ResourceExhausted,
  deadline_exceeded: Code.DeadlineExceeded,
  unavailable: Code.Unavailable,
  aborted: Code.Aborted,
  failed_precondition: Code.FailedPrecondition,
  internal: Code.Internal,
};

/** An error inside a response, on the wire (SVC-31). */
export function errorInfoToWire(error: ApiError): MessageInitShape<typeof ErrorInfoSchema> {
  const metadata = Object.entries(error.metadata).map(([key, value]) => [textToWire(key), textToWire(String(value))]);
  return {
    reason: textToWire(error.reason),
    metadata: Object.fromEntries(metadata),
    message: textToWire(error.message),
  };
}

/** An error inside a response, off the wire; a reason of a newer peer keeps its name and words (CL-06). */
export function errorInfoFromWire(info: ErrorInfo): ApiError {
  return new ApiError(info.reason, info.message, { ...info.metadata });
}

/**
 * What a failed call answers (PRT-05): an `ApiError` with its reason as the one detail, an abort as `canceled`
 * without any, a Connect error as it is, anything else as INTERNAL without its words, which may hold secrets.
 */
export function errorToConnect(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  if (isReason(error)) {
    const detail = { desc: ErrorInfoSchema, value: errorInfoToWire(error) };
    return new ConnectError(textToWire(error.message), codeOf(error.reason), undefined, [detail]);
  }
  if (isAbort(error)) return new ConnectError("the call was cancelled", Code.Canceled);
  return errorToConnect(apiError("INTERNAL", "an unexpected error; the service's log has it", {}));
}

/**
 * What a failed call means to a client (CL-06): the `ApiError` the service sent, an `AbortError` for a call that was
 * cancelled, `SERVICE_UNAVAILABLE` when nothing answered or the service is too old for it, else `INTERNAL`.
 */
export function errorFromConnect(error: unknown): unknown {
  if (isReason(error)) return error;
  const sent = errorInfoOf(error);
  if (sent !== undefined) return errorInfoFromWire(sent);
  if (isConnectionLost(error))
    return apiError("SERVICE_UNAVAILABLE", `the Blitz service can't be reached: ${wordsOf(error)}`, {}, error);
  const code = error instanceof ConnectError ? error.code : undefined;
  if (code === Code.Canceled) return new DOMException("the call was cancelled", "AbortError");
  if (code === Code.Unimplemented) return apiError("SERVICE_UNAVAILABLE", OLDER, {}, error);
  return isAbort(error) ? error : apiError("INTERNAL", wordsOf(error), {}, error);
}

/**
 * Whether a call failed because the service isn't there, or is just going: one that is back again may go on with it.
 * Asked of the error as it came, since one for an older service has the same reason afterwards.
 */
export function isConnectionLost(error: unknown): boolean {
  const sent = errorInfoOf(error);
  if (sent !== undefined) return sent.reason === "SHUTTING_DOWN";
  if (!(error instanceof ConnectError)) return isSocketError(error);
  // A broken connection is `aborted` where connect-node makes the transport, `unavailable` everywhere else.
  return error.code === Code.Unavailable || error.code === Code.Aborted || isSocketError(error.cause);
}

const OLDER: string =
  "the running Blitz service is older than this program and doesn't know this call: restart the service";

/** What Node.js says when nothing listens there, or no longer. */
const SOCKET_ERRORS: readonly unknown[] = ["ECONNREFUSED", "ECONNRESET", "ENOENT", "ENOTSOCK", "EPIPE"];

function isSocketError(error: unknown): boolean {
  return error instanceof Error && "code" in error && SOCKET_ERRORS.includes(error.code);
}

function errorInfoOf(error: unknown): ErrorInfo | undefined {
  return error instanceof ConnectError ? error.findDetails(ErrorInfoSchema)[0] : undefined;
}

function wordsOf(error: unknown): string {
  if (error instanceof ConnectError) return error.rawMessage;
  return error instanceof Error ? error.message : String(error);
}

function codeOf(reason: string): Code {
  return Object.hasOwn(REASONS, reason) ? CODES[REASONS[reason as Reason].code] : Code.Internal;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
