// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { promisify } from "node:util";
import type * as Zlib from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Compression } from "@connectrpc/connect/protocol";

/**
 * gzip, for clients that ask for it; zlib is loaded by the first. Decompressing stops at the longest message, so a
 * small body can't become a large one.
 */
export const GZIP: Compression = {
  name: "gzip",
  compress: async (bytes) => inOwnBuffer(await promisify(zlib().gzip)(bytes)),
  decompress: async (bytes, readMaxBytes) => {
    if (bytes.length === 0) return new Uint8Array();
    try {
      return inOwnBuffer(await promisify(zlib().gunzip)(bytes, { maxOutputLength: readMaxBytes }));
    } catch (error) {
      const isTooLong = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
      if (!isTooLong) throw new ConnectError("the request isn't valid gzip", Code.InvalidArgument);
      throw new ConnectError(`the request is longer than ${readMaxBytes} bytes`, Code.ResourceExhausted);
    }
  },
};

function zlib(): Pick<typeof Zlib, "gzip" | "gunzip"> {
  return process.getBuiltinModule("node:zlib");
}

/** The type says where bytes may be; zlib's always are there. */
function inOwnBuffer(bytes: Buffer): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as Buffer<ArrayBuffer>) : new Uint8Array(bytes);
}
