// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { chmod, mkdir, readdir, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { apiError, NO_USAGE, nearest } from "@blitz/api";
import { readText, replaceFile } from "./disk.js";
import { checkSessionId, newSessionId } from "./identity.js";
import { type Metadata, parseMetadata } from "./metadata.js";
import { Session, TURN } from "./session.js";

/** What the sessions room needs. */
export interface SessionsDeps {
  /** `session.storage_dir`, absolute; made 0700 when the first session is saved. */
  readonly dir: string;
  /** The workspace's canonical directory. */
  readonly workspace: string;
  readonly now: () => Date;
  /** At least 8 hex digits, new each time. */
  readonly randomHex: () => string;
  readonly warn: (message: string) => void;
}

/** The sessions of a storage folder, and which one is active in this workspace. */
export interface SessionStore {
  /** A new session, active, in memory until it is used (SES-17). */
  create(agent: string): Session;
  /** A new session of a background run, never the active one (SVC-24). */
  createBackground(agent: string): Session;
  /** The active session. */
  active(): Session | undefined;
  /**
   * Opens one by ID, or "latest" of this workspace, and makes it active.
   *
   * @throws ApiError `RESUME_FAILED`, `INVALID_ID`
   */
  resume(ref: string): Promise<Session>;
  /** The session a turn runs in, loaded when it isn't open; it becomes the active one unless it runs in the background (SES-16). */
  forTurn(id: string): Promise<Session>;
  /** A session by its ID, without making it the active one. @throws ApiError `SESSION_NOT_FOUND`, `INVALID_ID` */
  find(id: string): Promise<Session>;
  /** A turn that `forTurn` gave it to has ended; a session no turn runs in and that isn't active leaves memory. */
  release(id: string): Promise<void>;
  /** This workspace's sessions with a turn that waits for a person (SES-26). */
  waiting(): Promise<readonly Session[]>;
  /** Newest first; without `all`, this workspace's. Reads no bodies (SES-13). */
  list(all: boolean): Promise<readonly Metadata[]>;
  /** @throws ApiError `SESSION_OPEN`, `SESSION_NOT_FOUND` */
  remove(id: string): Promise<void>;
  /** Waits for writes under way. */
  close(): Promise<void>;
}

const META: string = ".meta.json";
const READS_AT_ONCE: number = 32;
/** How many sessions without a message are kept in memory. */
const FRESH_KEPT: number = 256;

/** Opens the sessions folder. Nothing is read or made before it is needed. */
export function openSessions(deps: SessionsDeps): SessionStore {
  const open = new Map<string, Session>();
  const nextOrder = createOrder(deps);
  const sessionDeps = { ...deps, nextOrder };
  let active: Session | undefined;

  const turnsIn = new Map<string, number>();
  const use = (id: string, change: number): void => {
    const count = (turnsIn.get(id) ?? 0) + change;
    if (count > 0) turnsIn.set(id, count);
    else turnsIn.delete(id);
  };
  /** A session no turn runs in and that isn't active leaves memory, after its writes: a copy read again must not meet them. */
  const dropIdle = async (id: string): Promise<void> => {
    await open.get(id)?.settled();
    if (turnsIn.has(id) || active?.id === id) return;
    if (open.get(id)?.saved !== false) open.delete(id);
    // One without a message is nowhere else: another client may be about to run its first turn.
    else
      for (const fresh of [...open.values()].filter((one) => !one.saved).slice(0, -FRESH_KEPT)) open.delete(fresh.id);
  };
  const activate = (session: Session): Session => {
    const left = active === session ? undefined : active;
    open.set(session.id, session);
    active = session;
    if (left !== undefined) void dropIdle(left.id);
    return session;
  };
  const load = async (id: string): Promise<Session | undefined> => {
    checkSessionId(id);
    const known = open.get(id);
    if (known !== undefined) return known;
    const text = await readText(path.join(deps.dir, `${id}${META}`));
    const parsed = text === undefined ? undefined : parseMetadata(text, id);
    return parsed === undefined ? undefined : new Session(sessionDeps, parsed.meta, parsed.stored, true);
  };
  const find = async (id: string): Promise<Session> => {
    const found = await load(id);
    if (found === undefined) throw apiError("SESSION_NOT_FOUND", `no session ${id}`, { id });
    return found;
  };
  const list = async (all: boolean): Promise<readonly Metadata[]> => {
    const metas = (await readAll(deps)).filter((meta) => meta.messageCount > 0 || meta.title !== "");
    const here = all ? undefined : await foldersHere(new Set(metas.map((meta) => meta.workspace)), deps.workspace);
    return metas.filter((meta) => here === undefined || here.has(meta.workspace)).sort(newestFirst);
  };

  return {
    create: (agent) => activate(new Session(sessionDeps, freshMetadata(deps, agent, ""), {}, false)),
    createBackground: (agent) => {
      const session = new Session(sessionDeps, freshMetadata(deps, agent, "background"), {}, false);
      open.set(session.id, session);
      return session;
    },
    active: () => active,
    list,
    resume: async (ref) => {
      const id = ref === "latest" ? (await list(false))[0]?.id : ref;
      const found = id === undefined ? undefined : await load(id);
      if (found === undefined) {
        const known = await list(false);
        throw resumeFailed(
          ref,
          deps.workspace,
          known.map((meta) => meta.id),
        );
      }
      await found.adopt(deps.workspace);
      return activate(found);
    },
    find,
    forTurn: async (id) => {
      if (active?.id === id) {
        use(id, 1);
        return active;
      }
      const found = await find(id);
      use(id, 1);
      if (found.meta.origin === "") return activate(found);
      open.set(id, found);
      return found;
    },
    release: async (id) => {
      use(id, -1);
      await dropIdle(id);
    },
    waiting: async () => {
      const names = (await namesIn(deps.dir)).filter((name) => name.endsWith(TURN));
      const found = await Promise.all(names.map((name) => load(name.slice(0, -TURN.length)).catch(() => undefined)));
      const here = found.filter((session) => session?.meta.workspace === deps.workspace);
      return here.filter((session) => session !== undefined);
    },
    remove: async (id) => {
      if (open.has(id)) throw apiError("SESSION_OPEN", `session ${id} is open`, { id });
      await find(id);
      // Metadata first: from then on it is listed no more, whatever happens to the rest (SES-23).
      for (const suffix of [META, ".jsonl", ".events.jsonl", TURN])
        await rm(path.join(deps.dir, `${id}${suffix}`), { force: true });
    },
    close: async () => {
      await Promise.all([...open.values()].map((session) => session.settled()));
    },
  };
}

/**
 * The directories of workspaces with a turn that waits for a person, for whoever hosts workspaces and
 * opens those at its start (SVC-25).
 *
 * @param dir - `session.storage_dir`
 */
export async function waitingWorkspaces(dir: string): Promise<readonly string[]> {
  const ids = (await namesIn(dir)).filter((name) => name.endsWith(TURN)).map((name) => name.slice(0, -TURN.length));
  const metas = await Promise.all(
    ids.map(async (id) => {
      const text = await readText(path.join(dir, `${id}${META}`)).catch(() => undefined); // unreadable: listed nowhere
      return text === undefined ? "" : (parseMetadata(text, id)?.meta.workspace ?? "");
    }),
  );
  return [...new Set(metas.filter((workspace) => workspace !== ""))].sort();
}

function freshMetadata(deps: SessionsDeps, agent: string, origin: Metadata["origin"]): Metadata {
  const now = deps.now();
  return {
    id: newSessionId(now, deps.randomHex()),
    title: "",
    agent,
    created: now,
    updated: now,
    messageCount: 0,
    workspace: deps.workspace,
    origin,
    order: 0,
    usage: NO_USAGE,
  };
}

function resumeFailed(ref: string, workspace: string, known: readonly string[]): Error {
  const near = nearest(ref, known);
  const hint = near === undefined ? "blitz sessions lists this workspace's" : `did you mean ${near}?`;
  const message =
    ref === "latest"
      ? `no saved sessions for ${workspace} (use --resume=ID for a session from another directory)`
      : `no session "${ref}"; ${hint}`;
  return apiError("RESUME_FAILED", message, { ref });
}

function newestFirst(a: Metadata, b: Metadata): number {
  return b.order - a.order || b.updated.getTime() - a.updated.getTime() || (a.id < b.id ? 1 : -1);
}

/** The recorded directories that are this workspace, also when one leads here through a link now (T-SES-3). */
async function foldersHere(recorded: ReadonlySet<string>, workspace: string): Promise<ReadonlySet<string>> {
  const here = new Set<string>();
  await Promise.all(
    [...recorded].map(async (folder) => {
      if (folder === "") return;
      const real = folder === workspace ? folder : await realpath(folder).catch(() => undefined); // gone: nobody's now
      if (real === workspace) here.add(folder);
    }),
  );
  return here;
}

async function namesIn(dir: string): Promise<readonly string[]> {
  return await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

async function readAll(deps: SessionsDeps): Promise<Metadata[]> {
  const names = await namesIn(deps.dir);
  const ids = names.filter((name) => name.endsWith(META)).map((name) => name.slice(0, -META.length));
  const metas: Metadata[] = [];
  const bad: string[] = [];
  const work = ids.values();
  const reader = async (): Promise<void> => {
    for (const id of work) {
      const text = await readText(path.join(deps.dir, `${id}${META}`)).catch(() => undefined);
      const parsed = text === undefined ? undefined : parseMetadata(text, id);
      if (parsed === undefined) bad.push(id);
      else metas.push(parsed.meta);
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, reader));
  if (bad.length > 0)
    deps.warn(`skipped ${bad.length} unreadable session file(s) in ${deps.dir}, e.g. ${bad[0]}${META}`);
  return metas;
}

/** Order numbers of the folder: the highest written is kept in the file `order`, found from the metadata when that is gone. */
function createOrder(deps: SessionsDeps): () => Promise<number> {
  let highest = -1;
  let queue: Promise<unknown> = Promise.resolve();
  const next = async (): Promise<number> => {
    const file = path.join(deps.dir, "order");
    if (highest < 0) {
      await mkdir(deps.dir, { recursive: true, mode: 0o700 });
      await chmod(deps.dir, 0o700);
    }
    const noted = Number(await readText(file));
    if (Number.isSafeInteger(noted) && noted > 0) highest = Math.max(highest, noted);
    else highest = Math.max(highest, 0, ...(await readAll(deps)).map((meta) => meta.order));
    highest += 1;
    await replaceFile(file, `${highest}\n`, deps.randomHex());
    return highest;
  };
  return async () => {
    const mine = queue.then(next);
    queue = mine.catch(() => undefined); // the caller sees the failure
    return await mine;
  };
}
