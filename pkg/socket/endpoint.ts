// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";

/** What decides where the service is. */
export interface EndpointOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home, absolute. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The settings directory; on Windows each has a service of its own. `~/.blitz` when left out. */
  readonly configDir?: string;
}

/**
 * The path of the service's socket: `$BLITZ_SOCKET`, else `~/.blitz/run/blitz.sock` (SVC-01). On Windows the name
 * of a pipe made from the settings directory and the user (SVC-61). A pipe lets in more programs than a 0600 file
 * does: the token that calls must carry there is left out so far, and nothing may listen there without it.
 */
export function defaultEndpoint(options: EndpointOptions): string {
  const { env, home, platform } = options;
  const given = env["BLITZ_SOCKET"];
  if (given !== undefined && given !== "") return given;
  if (platform !== "win32") return path.posix.join(home, ".blitz", "run", "blitz.sock");
  const config = options.configDir ?? path.win32.join(home, ".blitz");
  return `\\\\.\\pipe\\blitz-${shortHash(`${config}\0${env["USERNAME"] ?? ""}`)}`;
}

function shortHash(text: string): string {
  // Taken here, not imported: only Windows needs it, and every start of the CLI loads this file.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}
