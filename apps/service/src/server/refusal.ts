// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { IncomingHttpHeaders } from "node:http2";

/** What a local program may call the service; HTTP/2 clients add a port by themselves, though there is none. */
const HOST: RegExp = /^(?:|blitz|localhost)(?::\d{1,5})?$/i;

/**
 * Why a request isn't looked at, in one line; `undefined` for an acceptable one. Pages in a browser always send an
 * `Origin` when they reach for another place, and one that gave its own name another address sends that as `Host`
 * (SVC-62).
 */
export function refusalOf(headers: Readonly<IncomingHttpHeaders>): string | undefined {
  if (headers["origin"] !== undefined) return "requests from web pages are refused";
  const hosts = [headers[":authority"], headers["host"]];
  if (hosts.some((host) => host !== undefined && !HOST.test(host))) return "the host must be blitz or localhost";
  return undefined;
}
