// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { apiError, isReason } from "@blitz/api";
import type { Workspace } from "@blitz/engine";

/** What hosting workspaces needs. */
export interface WorkspacesDeps {
  /** Opens one with a configuration of its own (SVC-10). */
  readonly open: (dir: string) => Promise<Workspace>;
  readonly log: {
    info(message: string, attributes?: Readonly<Record<string, unknown>>): void;
    warn(message: string, attributes?: Readonly<Record<string, unknown>>): void;
  };
}

/** The open workspaces of the service, keyed by their real directory. */
export interface Workspaces {
  /**
   * The workspace of a directory, opened when it isn't. Callers at the same time share one opening; one
   * that goes away leaves it going on; a failed one is tried again by the next (SVC-11).
   *
   * @throws ApiError `INVALID_WORKSPACE` `WORKSPACE_BUSY` `OPEN_FAILED` `SHUTTING_DOWN`; the signal's reason
   */
  get(dir: string, signal?: AbortSignal): Promise<Workspace>;
  /** Directories, sorted. */
  list(): readonly string[];
  /** One that isn't open is fine. @throws ApiError `TURN_RUNNING` (SVC-14) */
  close(dir: string): Promise<void>;
  /** Opens no more, leaves turns that wait to the next service, and gives running ones so long to end (SVC-04). */
  windDown(graceMs: number): Promise<void>;
  /** Opens no more, and closes all. */
  closeAll(): Promise<void>;
}

/** Reasons of opening that callers are told as they are. */
const OWN_REASONS = ["INVALID_WORKSPACE", "WORKSPACE_BUSY", "SANDBOX_UNAVAILABLE", "CONFIG_INVALID"] as const;

/** Hosts workspaces; none is open yet. */
export function createWorkspaces(deps: WorkspacesDeps): Workspaces {
  const opening = new Map<string, Promise<Workspace>>();
  const open = new Map<string, Workspace>();
  let isClosing = false;

  const openOne = async (dir: string): Promise<Workspace> => {
    try {
      const workspace = await deps.open(dir);
      open.set(dir, workspace);
      deps.log.info("workspace opened", { workspace: dir });
      return workspace;
    } catch (error) {
      opening.delete(dir); // tried again by the next caller
      deps.log.warn("workspace can't be opened", { workspace: dir, error });
      if (isReason(error, ...OWN_REASONS)) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw apiError("OPEN_FAILED", `${dir} can't be opened: ${why}`, { workspace: dir }, error);
    }
  };
  const closeOne = async (dir: string): Promise<void> => {
    const workspace = open.get(dir);
    open.delete(dir);
    opening.delete(dir);
    await workspace?.close();
    deps.log.info("workspace closed", { workspace: dir });
  };

  return {
    get: async (dir, signal) => {
      const real = await realDirectory(dir);
      signal?.throwIfAborted();
      if (isClosing) throw apiError("SHUTTING_DOWN", "the service is shutting down", {});
      const one = opening.get(real) ?? openOne(real);
      opening.set(real, one);
      return signal === undefined ? await one : await unlessAborted(one, signal);
    },
    list: () => [...open.keys()].sort(),
    close: async (dir) => {
      const real = await realDirectory(dir);
      const workspace = open.get(real);
      if (workspace === undefined) return;
      if (workspace.busy()) throw apiError("TURN_RUNNING", `a turn runs or waits in ${real}`, { workspace: real });
      await closeOne(real);
    },
    windDown: async (graceMs) => {
      isClosing = true;
      await Promise.allSettled(opening.values());
      await Promise.all([...open.values()].map((workspace) => workspace.windDown(graceMs)));
    },
    closeAll: async () => {
      isClosing = true;
      await Promise.allSettled(opening.values());
      const closed = await Promise.allSettled([...open.keys()].map(closeOne));
      for (const one of closed)
        if (one.status === "rejected") deps.log.warn("a workspace didn't close", { error: one.reason });
    },
  };
}

/** The real directory of an absolute path: two spellings are one workspace (SVC-10). */
async function realDirectory(dir: string): Promise<string> {
  if (!path.isAbsolute(dir))
    throw apiError("INVALID_WORKSPACE", `"${dir}" is not an absolute path`, { workspace: dir });
  try {
    const real = await realpath(dir);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    const why = (error as Error).message;
    throw apiError("INVALID_WORKSPACE", `${dir} can't be opened: ${why}`, { workspace: dir }, error);
  }
  throw apiError("INVALID_WORKSPACE", `${dir} is not a directory`, { workspace: dir });
}

/** The same, unless the caller goes away first; what is waited for goes on. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const gone = Promise.withResolvers<never>();
  const onAbort = (): void => gone.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    return await Promise.race([work, gone.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    gone.promise.catch(() => undefined); // nobody waits for it any more
  }
}
