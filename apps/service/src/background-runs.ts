// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { apiError, type BackgroundRun, type BackgroundRuns, isActive, type LiveEvent } from "@blitz/api";
import type { Workspace } from "@blitz/engine";
import type { Workspaces } from "./workspaces.js";

/** What running in the background needs. */
export interface BackgroundRunsDeps {
  readonly workspaces: Pick<Workspaces, "get">;
  /** Where the list is kept, absolute; its folder is the service's own. */
  readonly file: string;
  readonly now: () => Date;
  readonly log: { warn(message: string, attributes?: Readonly<Record<string, unknown>>): void };
}

/** The service's background runs, kept over its restarts. */
export interface HostedRuns extends Omit<BackgroundRuns, "startBackground"> {
  /** `by`: the client that starts it. */
  startBackground(
    dir: string,
    turn: Parameters<BackgroundRuns["startBackground"]>[1],
    by: string,
  ): Promise<BackgroundRun>;
  /** What an earlier service left: a run that waits goes on waiting, one that ran has failed (SVC-24). */
  restore(): Promise<void>;
  /** Waits until the list is on disk. */
  close(): Promise<void>;
}

/** How many ended runs stay listed. */
const ENDED_KEPT: number = 50;

interface Entry {
  run: BackgroundRun;
  /** The workspace while the run is active. */
  workspace: Workspace | undefined;
}

/** Looks after background runs: turns in sessions of their own, listed and followed by ID (SVC-24). */
export function createBackgroundRuns(deps: BackgroundRunsDeps): HostedRuns {
  const records = new Map<string, Entry>();
  let nextId = 1;
  let saving: Promise<void> = Promise.resolve();

  const save = (): void => {
    saving = saving
      .then(() =>
        saveRuns(
          deps.file,
          [...records.values()].map((record) => record.run),
        ),
      )
      .catch((error: unknown) => deps.log.warn("the list of background runs can't be saved", { error }));
  };
  const finish = (record: Entry, change: Partial<BackgroundRun> & Pick<BackgroundRun, "state">): void => {
    if (!isActive(record.run)) return;
    record.run = { ...record.run, ended: deps.now(), waiting: 0, ...change };
    record.workspace = undefined;
    const ended = [...records.values()].filter((one) => !isActive(one.run));
    for (const old of ended.slice(0, -ENDED_KEPT)) records.delete(old.run.id);
    save();
  };
  const onEvent = (record: Entry) => (event: LiveEvent) => {
    if (event.type !== "finished") return;
    const { error, before, after } = event.end;
    const costUsd = after.costUsd - before.costUsd;
    const state = error === undefined ? "done" : error.reason === "CANCELLED" ? "stopped" : "failed";
    finish(record, { state, costUsd, error: state === "failed" ? (error?.message ?? "") : "" });
  };
  /** The run as it is now: whether it waits is asked, not remembered. */
  const current = async ({ run, workspace }: Entry): Promise<BackgroundRun> => {
    if (workspace === undefined || !isActive(run)) return run;
    const waiting = (await workspace.pendingRequests(run.sessionId)).length;
    return { ...run, waiting, state: waiting > 0 ? "waiting" : "running" };
  };
  const recordOf = (id: string): Entry => {
    const record = records.get(id);
    if (record === undefined) throw apiError("UNKNOWN_RUN", `there is no background run ${id}`, { id });
    return record;
  };
  const restoreOne = async (record: Entry): Promise<void> => {
    const { workspace: dir, sessionId } = record.run;
    const workspace = await deps.workspaces.get(dir);
    const begun = Promise.withResolvers<boolean>();
    const watching = workspace.watchSession(
      sessionId,
      { after: -1 },
      { onState: ({ phase }) => begun.resolve(phase !== "ended"), onEvent: onEvent(record) },
    );
    watching.catch(begun.reject);
    if (!(await begun.promise)) throw new Error("the service ended while it ran; its session can be resumed");
    record.workspace = workspace;
    watching.catch(() => undefined); // an end of the watch is the service's end: the list stays as it is
  };

  return {
    startBackground: async (dir, turn, by) => {
      if (turn.text.trim() === "") throw apiError("INVALID_TURN", "the prompt is empty", {});
      const workspace = await deps.workspaces.get(dir);
      const session = await workspace.newSession("background");
      const prompt = turn.text.trim().split("\n")[0] ?? "";
      const run: BackgroundRun = {
        id: `bg-${nextId++}`,
        workspace: workspace.dir,
        sessionId: session.id,
        prompt,
        state: "running",
        started: deps.now(),
        costUsd: 0,
        waiting: 0,
        error: "",
      };
      const record: Entry = { run, workspace };
      records.set(run.id, record);
      save();
      const handlers = { onEvent: () => undefined, onLive: onEvent(record), by };
      // A turn that couldn't begin tells no event: its failure is the run's.
      workspace.run(session.id, turn, handlers).catch((error: unknown) => {
        finish(record, { state: "failed", error: error instanceof Error ? error.message : String(error) });
      });
      return run;
    },
    listBackground: async () => {
      const runs = await Promise.all([...records.values()].map(current));
      return runs.reverse();
    },
    watchBackground: async (id, follow, handlers) => {
      const record = recordOf(id);
      const workspace = record.workspace ?? (await deps.workspaces.get(record.run.workspace));
      const enough = new AbortController();
      const signals = [enough.signal, ...(handlers.signal === undefined ? [] : [handlers.signal])];
      await workspace.watchSession(
        record.run.sessionId,
        // A run that has just been started may not have begun its turn: whoever follows waits for it.
        { after: 0, follow: follow && isActive(record.run) },
        {
          signal: AbortSignal.any(signals),
          onState: (state) => {
            handlers.onState(state);
            // The events so far are sent in the same go as the state; what comes after is live.
            if (!follow) queueMicrotask(() => enough.abort());
          },
          onEvent: (event) => {
            handlers.onEvent(event);
            if (event.type === "finished") enough.abort();
          },
        },
      );
    },
    stopBackground: async (id) => {
      const record = recordOf(id);
      await record.workspace?.cancelTurn(record.run.sessionId);
      finish(record, { state: "stopped" });
      return record.run;
    },
    restore: async () => {
      for (const run of await loadRuns(deps.file, deps.log)) {
        const record: Entry = { run, workspace: undefined };
        records.set(run.id, record);
        nextId = Math.max(nextId, Number(run.id.slice("bg-".length)) + 1);
        if (!isActive(run)) continue;
        await restoreOne(record).catch((error: unknown) => {
          finish(record, { state: "failed", error: error instanceof Error ? error.message : String(error) });
        });
      }
    },
    close: () => saving,
  };
}

async function saveRuns(file: string, runs: readonly BackgroundRun[]): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const made = `${file}.tmp`;
  await writeFile(made, `${JSON.stringify({ v: 1, runs })}\n`, { mode: 0o600 });
  await rename(made, file);
}

/** A list that can't be read is said and begun anew: the sessions are all there without it. */
async function loadRuns(file: string, log: BackgroundRunsDeps["log"]): Promise<readonly BackgroundRun[]> {
  try {
    const value = JSON.parse(await readFile(file, "utf8")) as { readonly runs: readonly BackgroundRun[] };
    return value.runs.map((run) => ({
      ...run,
      started: new Date(run.started),
      ...(run.ended === undefined ? {} : { ended: new Date(run.ended) }),
    }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      log.warn("the list of background runs can't be read", { file, error });
    return [];
  }
}
