// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** The body without its content coding. Gateways compress unasked; the coding's headers go with it. */
export function decoded(incoming: IncomingMessage, headers: Headers): Readable {
  const transform = decoderFor(headers.get("content-encoding") ?? "");
  if (transform === undefined) return incoming;
  headers.delete("content-encoding");
  headers.delete("content-length");
  // An error of either side destroys both, and whoever reads the result gets it.
  return pipeline(incoming, transform, () => {});
}

function decoderFor(coding: string): Transform | undefined {
  switch (coding.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      return createInflate();
    default:
      return undefined;
  }
}
