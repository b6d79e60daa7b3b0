// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { ApiError, apiError, isReason, REASONS, type Reason } from "@blitz/api";
import { ErrorInfoSchema } from "@blitz/proto/turn";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { WorkspaceService } from "@blitz/proto/workspace";
import { describe, expect, it } from "vitest";
import { errorFromConnect, errorInfoFromWire, errorInfoToWire, errorToConnect, isConnectionLost } from "./index.js";

/** The error a client catches when the service's handler throws this one: it goes over the wire, as a response does. */
async function caught(thrown: unknown): Promise<ConnectError> {
  const transport = createRouterTransport(({ service }) => {
    service(WorkspaceService, {
      shutdown: () => {
        throw errorToConnect(thrown);
      },
    });
  });
  const failed: unknown = await createClient(WorkspaceService, transport)
    .shutdown({})
    .catch((error: unknown) => error);
  if (failed instanceof ConnectError) return failed;
  throw new Error("the call didn't fail");
}

const socketError = (code: string): Error => Object.assign(new Error(`connect ${code} /run/x.sock`), { code });

describe("a failed call (PRT-05, CL-06)", () => {
  it.each(Object.keys(REASONS) as Reason[])("brings %s with its code, metadata and words", async (reason) => {
    const row: { readonly code: string; readonly keys: readonly string[]; readonly optional?: readonly string[] } =
      REASONS[reason];
    const metadata = Object.fromEntries([...row.keys, ...(row.optional ?? [])].map((key) => [key, `the ${key} é`]));
    const error = new ApiError(reason, `words of ${reason}`, metadata);
    const failed = await caught(error);
    expect(Code[failed.code].replace(/(?!^)[A-Z]/g, "_$&").toLowerCase()).toBe(row.code);
    expect(failed.findDetails(ErrorInfoSchema)).toHaveLength(1);
    expect(failed.details).toHaveLength(1);
    expect(errorFromConnect(failed)).toStrictEqual(error);
  });

  it("keeps the name and words of a reason it doesn't know", async () => {
    const error = new ApiError("NEWER_REASON", "words", { a: "b" });
    const failed = await caught(error);
    expect(failed.code).toBe(Code.Internal);
    expect(errorFromConnect(failed)).toStrictEqual(error);
    expect(errorFromConnect(await caught(new ApiError("toString", "words", {})))).toMatchObject({ reason: "toString" });
  });

  it("is an abort without detail when it was cancelled", async () => {
    const failed = await caught(new DOMException("secret plans", "AbortError"));
    expect([failed.code, failed.details]).toEqual([Code.Canceled, []]);
    const back = errorFromConnect(failed);
    expect(back).toBeInstanceOf(DOMException);
    expect(back).toMatchObject({ name: "AbortError" });
  });

  it.each([
    ["an error", new TypeError("key sk-12345 in /home/me")],
    ["a text", "key sk-12345"],
    ["nothing", undefined],
  ])("is INTERNAL without its words or its stack for %s that nobody expected", async (_name, thrown) => {
    const failed = await caught(thrown);
    const back = errorFromConnect(failed);
    expect([failed.code, isReason(back, "INTERNAL")]).toEqual([Code.Internal, true]);
    expect(JSON.stringify([failed.message, failed.details, (back as Error).message])).not.toMatch(/sk-|home|at /);
  });

  it("has words any peer can decode, and may be long (PRT-09)", async () => {
    const error = new ApiError("MODEL_FAILED", "a\ud800\0", { model: "\udfff", ["\ud800"]: "x".repeat(1 << 20) });
    expect(errorFromConnect(await caught(error))).toStrictEqual(
      new ApiError("MODEL_FAILED", "a\ufffd\0", { model: "\ufffd", "\ufffd": "x".repeat(1 << 20) }),
    );
  });

  it("passes a Connect error on as it is, and an ApiError that is one already", async () => {
    const given = new ConnectError("a bad day", Code.InvalidArgument);
    expect(errorToConnect(given)).toBe(given);
    expect(errorFromConnect(await caught(given))).toMatchObject({ reason: "INTERNAL", message: "a bad day" });
    const known = apiError("SESSION_BUSY", "busy", { id: "s" });
    expect(errorFromConnect(known)).toBe(known);
  });
});

describe("a service that can't be reached", () => {
  it.each([
    ["unavailable", new ConnectError("gone", Code.Unavailable)],
    ["broken off", new ConnectError("aborted", Code.Aborted)],
    ["a wrapped socket error", new ConnectError("x", Code.Internal, undefined, undefined, socketError("EPIPE"))],
    ["refusing", socketError("ECONNREFUSED")],
    ["not there", socketError("ENOENT")],
    ["reset", socketError("ECONNRESET")],
  ])("is SERVICE_UNAVAILABLE when it is %s", (_name, error) => {
    expect(isConnectionLost(error)).toBe(true);
    expect(errorFromConnect(error)).toMatchObject({
      reason: "SERVICE_UNAVAILABLE",
      message: expect.stringContaining("can't be reached"),
      cause: error,
    });
  });

  it("is said to be older when it doesn't know a call, which waiting doesn't help (CL-21)", () => {
    const error = new ConnectError("no such method", Code.Unimplemented);
    expect(isConnectionLost(error)).toBe(false);
    expect(errorFromConnect(error)).toMatchObject({
      reason: "SERVICE_UNAVAILABLE",
      message: expect.stringMatching(/older.*restart/),
    });
  });

  it("may be back when it says that it is shutting down, not when a model failed", async () => {
    expect(isConnectionLost(await caught(apiError("SHUTTING_DOWN", "bye", {})))).toBe(true);
    expect(isConnectionLost(await caught(apiError("MODEL_FAILED", "no", { model: "m" })))).toBe(false);
    expect(isConnectionLost(new TypeError("a bug"))).toBe(false);
    expect(isConnectionLost("text")).toBe(false);
  });

  it("is not blamed for a bug of the client", () => {
    expect(errorFromConnect(new TypeError("a bug"))).toMatchObject({ reason: "INTERNAL", message: "a bug" });
    expect(errorFromConnect("odd")).toMatchObject({ reason: "INTERNAL", message: "odd" });
    const abort = new DOMException("mine", "AbortError");
    expect(errorFromConnect(abort)).toBe(abort);
  });
});

describe("an error inside a response (SVC-31)", () => {
  it("comes back with reason, metadata and words", () => {
    const error = apiError("UNDO_CONFLICT", "changed since", { files: "a.txt" });
    const bytes = toBinary(ErrorInfoSchema, create(ErrorInfoSchema, errorInfoToWire(error)));
    expect(errorInfoFromWire(fromBinary(ErrorInfoSchema, bytes))).toStrictEqual(error);
  });
});
