// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";

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
  const zlib = () => process.getBuiltinModule("node:zlib"); // dear to load, seldom used (ADR 0007)
  switch (coding.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return zlib().createGunzip();
    case "br":
      return zlib().createBrotliDecompress();
    case "deflate":
      return zlib().createInflate();
    default:
      return undefined;
  }
}
