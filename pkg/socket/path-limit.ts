// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

const MACOS_BYTES: number = 103;
const LINUX_BYTES: number = 107;

/**
 * The longest socket path of a system in bytes, or undefined where sockets aren't files. A longer one must not
 * reach Node.js, which would silently use a shortened name.
 */
export function socketPathLimit(platform: NodeJS.Platform): number | undefined {
  if (platform === "win32") return undefined;
  return platform === "linux" ? LINUX_BYTES : MACOS_BYTES;
}

/** Whether a socket can have this path on this system. */
export function fitsSocketPath(endpoint: string, platform: NodeJS.Platform): boolean {
  return Buffer.byteLength(endpoint) <= (socketPathLimit(platform) ?? Number.POSITIVE_INFINITY);
}
