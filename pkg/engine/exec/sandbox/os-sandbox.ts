// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { apiError } from "@blitz/api";
import { createBlockedScan } from "./blocked-scan.js";
import { bubblewrapArguments, type SandboxSpec } from "./bubblewrap.js";
import { seatbeltProfile } from "./seatbelt.js";

/** `sandbox.shell` (SH-20). */
export type SandboxMode = "auto" | "required" | "off";

/** What commands may touch, as the settings say it; paths that don't exist are passed over. */
export interface SandboxOptions {
  readonly mode: SandboxMode;
  readonly platform: NodeJS.Platform;
  /** The workspace first. */
  readonly writableRoots: readonly string[];
  readonly readOnlyRoots: readonly string[];
  /** Caches, temporary folders, `shell_writable_paths`. */
  readonly extraWritable: readonly string[];
  /** Blitz's configuration: read-only even inside a writable root (SH-66). */
  readonly protectedDirs: readonly string[];
  /** Blocked-path patterns of the settings and `read` deny rules, and what is always blocked (SH-66). */
  readonly blocked: readonly string[];
  readonly home: string;
  readonly network: boolean;
}

/** What people and the gate ask about the sandbox (SH-65). */
export interface SandboxStatus {
  readonly mode: SandboxMode;
  /** Commands are confined. */
  readonly active: boolean;
  /** They are not, and the user didn't choose that: each asks (05 APR-62). */
  readonly unconfined: boolean;
  readonly lines: readonly string[];
}

/** The OS sandbox commands run in; the boundary of 07. */
export interface OsSandbox {
  /**
   * Command line that runs `argv` confined, after a look for what must be hidden now.
   *
   * @throws the signal's reason when it aborts
   */
  wrap(argv: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  status(): SandboxStatus;
}

/**
 * Probes once and returns the sandbox.
 *
 * @throws ApiError `SANDBOX_UNAVAILABLE` when it is `required` and doesn't work
 */
export async function openSandbox(options: SandboxOptions): Promise<OsSandbox> {
  if (options.mode === "off") return unconfined(options.mode, ["off: commands run unconfined (sandbox.shell = off)"]);
  const probed = await probe(options.platform);
  if (typeof probed === "object")
    return probed.backend === "seatbelt" ? seatbelt(options) : bubblewrap(options, probed.hasPidNamespace);
  if (options.mode === "required") {
    throw apiError(
      "SANDBOX_UNAVAILABLE",
      `sandbox.shell = required, but there is no working OS sandbox: ${probed}`,
      {},
    );
  }
  return unconfined(options.mode, [`no working OS sandbox: ${probed}`, "every command asks; bypass is not available"]);
}

type Probed = { readonly backend: "seatbelt" } | { readonly backend: "bubblewrap"; readonly hasPidNamespace: boolean };

/** The backend that works here, or why none does. */
async function probe(platform: NodeJS.Platform): Promise<Probed | string> {
  if (platform === "darwin") {
    const failure = await tryRun(SEATBELT, ["-p", "(version 1)(allow default)", "/usr/bin/true"]);
    return failure === undefined ? { backend: "seatbelt" } : failure;
  }
  if (platform !== "linux") return `there is none for ${platform}`;
  const spec: SandboxSpec = { writable: [], readOnly: [], network: true };
  let failure: string | undefined;
  for (const hasPidNamespace of [true, false]) {
    failure = await tryRun("bwrap", [...bubblewrapArguments(spec, NOTHING_BLOCKED, hasPidNamespace), "/bin/true"]);
    if (failure === undefined) return { backend: "bubblewrap", hasPidNamespace };
  }
  return `${failure ?? ""}; install bubblewrap, or allow it to make user namespaces`;
}

const SEATBELT = "/usr/bin/sandbox-exec";
const NOTHING_BLOCKED = { files: [], dirs: [], pinned: [] };
const PROBE_MS = 5_000;

/** Why it failed; undefined when it ran. */
function tryRun(file: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((settle) => {
    const child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe"], timeout: PROBE_MS, killSignal: "SIGKILL" });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString("utf8")).slice(0, 300);
    });
    child.on("error", (error) =>
      settle("code" in error && error.code === "ENOENT" ? `${file} is not installed` : error.message),
    );
    child.on("close", (code) => settle(code === 0 ? undefined : said.trim() || `${file} failed (${code ?? "killed"})`));
  });
}

function unconfined(mode: SandboxMode, lines: readonly string[]): OsSandbox {
  return {
    wrap: async (argv) => argv,
    status: () => ({ mode, active: false, unconfined: mode !== "off", lines }),
  };
}

function bubblewrap(options: SandboxOptions, hasPidNamespace: boolean): OsSandbox {
  const blocked = createBlockedScan({ home: options.home, patterns: options.blocked });
  let isIncomplete = false;
  return {
    wrap: async (argv, signal) => {
      // Looked up anew each time: a root may have been made, or replaced by a link, since.
      const spec = specOf(options);
      const roots = [...existing(options.writableRoots), ...existing(options.readOnlyRoots)];
      const found = await blocked.scan(roots, signal);
      isIncomplete = found.isIncomplete;
      return ["bwrap", ...bubblewrapArguments(spec, found, hasPidNamespace), ...argv];
    },
    status: () => ({
      mode: options.mode,
      active: true,
      unconfined: false,
      lines: [
        `bubblewrap${hasPidNamespace ? "" : " without a process namespace: a child in a session of its own outlives its command"}`,
        ...describe(options),
        ...(isIncomplete ? ["the search for blocked names reached its limit; deeper ones are not hidden"] : []),
      ],
    }),
  };
}

function seatbelt(options: SandboxOptions): OsSandbox {
  return {
    wrap: async (argv) => {
      const names = options.blocked.filter((pattern) => !/[/~]/.test(pattern));
      const roots = existing([...options.writableRoots, ...options.readOnlyRoots]);
      const paths = options.blocked
        .filter((pattern) => /[/~]/.test(pattern))
        .flatMap((pattern) => {
          if (pattern.startsWith("~")) return [options.home + pattern.slice(1)];
          return pattern.startsWith("/") ? [pattern] : roots.map((root) => `${root}/${pattern}`);
        });
      const both = paths.flatMap((path) => [path, ...existing([path])]);
      return [SEATBELT, "-p", seatbeltProfile(specOf(options), { paths: both, names }), ...argv];
    },
    status: () => ({ mode: options.mode, active: true, unconfined: false, lines: ["Seatbelt", ...describe(options)] }),
  };
}

function describe({ writableRoots, readOnlyRoots, network, blocked }: SandboxOptions): readonly string[] {
  return [
    `writable: ${writableRoots.join(", ")}, temporary folders and caches`,
    ...(readOnlyRoots.length > 0 ? [`read-only: ${readOnlyRoots.join(", ")}`] : []),
    `network ${network ? "on" : "off"}`,
    `blocked: ${blocked.join(", ") || "nothing"}`,
  ];
}

function specOf(options: SandboxOptions): SandboxSpec {
  return {
    writable: existing([
      ...options.writableRoots,
      ...options.extraWritable.map((path) => temporary(options.platform, path)),
    ]),
    readOnly: existing([...options.readOnlyRoots, ...options.protectedDirs]),
    network: options.network,
  };
}

/** macOS gives each user a temporary folder whose sibling is its cache (SH-21). */
function temporary(platform: NodeJS.Platform, path: string): string {
  return platform === "darwin" && path.startsWith("/var/folders/") ? dirname(path) : path;
}

/** Real paths of those that exist, each once. */
function existing(paths: readonly string[]): readonly string[] {
  const real = paths.flatMap((path) => {
    try {
      return [realpathSync(path)];
    } catch {
      return []; // what isn't there needs no mount
    }
  });
  return [...new Set(real)];
}
