// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { rename } from "node:fs/promises";
import path from "node:path";
import { addUsage, apiError, type Message, type Usage } from "@blitz/api";
import { type Event, formatEvent, type LogLine, parseLog } from "../history/index.js";
import { appendLines, readText, removeFile, replaceFile } from "./disk.js";
import { titleOf } from "./identity.js";
import { formatMetadata, type Metadata, type StoredMetadata } from "./metadata.js";
import { formatMessage, parseTranscript } from "./transcript.js";

/** What a session needs of its store. */
export interface SessionDeps {
  readonly dir: string;
  readonly now: () => Date;
  readonly randomHex: () => string;
  /** The next order number of the folder (SES-28). */
  readonly nextOrder: () => Promise<number>;
}

/** What follows the ID in the name of the file of a turn that waits. */
export const TURN: string = ".turn.json";

/**
 * One conversation on disk: metadata, transcript and event log (17). The only writer of its files in
 * this process; writes are done one after the other (SES-49). Nothing is on disk until the first
 * message or title (SES-17).
 */
export class Session {
  /** Its ID, also the name of its files. */
  readonly id: string;
  readonly #deps: SessionDeps;
  #meta: Metadata;
  #stored: StoredMetadata;
  #saved: boolean;
  #log: LogLine[] | undefined;
  /** Writes of the log, and of the other two files: the loop waits for the first only. */
  readonly #logQueue: WriteQueue = createWriteQueue();
  readonly #queue: WriteQueue = createWriteQueue();
  #usageQueued = false;
  #logMayBeTorn = true;
  #transcriptMayBeTorn = true;

  constructor(deps: SessionDeps, meta: Metadata, stored: StoredMetadata, saved: boolean) {
    this.id = meta.id;
    this.#deps = deps;
    this.#meta = meta;
    this.#stored = stored;
    this.#saved = saved;
    if (!saved) this.#log = [];
  }

  /** Its metadata now; a new value after every change. */
  get meta(): Metadata {
    return this.#meta;
  }

  /** Whether its metadata is on disk. */
  get saved(): boolean {
    return this.#saved;
  }

  /** The event log, read on first use; the array is the session's own and grows with appends. */
  async log(): Promise<readonly LogLine[]> {
    return await this.#logQueue(() => this.#loadLog());
  }

  /** The transcript's messages. */
  async messages(): Promise<readonly Message[]> {
    return await this.#queue(async () => {
      if (!this.#saved) return [];
      const text = await readText(this.#file(".jsonl"));
      return parseTranscript(text ?? "").map((line) => line.message);
    });
  }

  /** Appends final events; on disk when it resolves (ENG-100). */
  async appendEvents(events: readonly Event[]): Promise<void> {
    // The metadata comes first, so that a log is never without a session.
    if (!this.#saved) await this.#queue(() => (this.#saved ? Promise.resolve() : this.#save(this.#meta)));
    await this.#logQueue(async () => {
      const log = await this.#loadLog();
      for (const event of events) log.push({ event });
      appendLines(this.#file(".events.jsonl"), events.map(formatEvent).join(""), this.#logMayBeTorn);
      this.#logMayBeTorn = false;
    });
  }

  /** Appends a message; a prompt notes the log's length before it and gives an untitled session its title. */
  async appendMessage(message: Message): Promise<void> {
    await this.#queue(async () => {
      const isPrompt = message.role === "user" && message.kind === "";
      const events = isPrompt ? (await this.log()).length : undefined;
      const title = this.#meta.title === "" && isPrompt ? titleOf(message.text) : this.#meta.title;
      await this.#save({ ...this.#meta, title, messageCount: this.#meta.messageCount + 1 });
      const line = formatMessage(events === undefined ? { message } : { message, events });
      appendLines(this.#file(".jsonl"), line, this.#transcriptMayBeTorn);
      this.#transcriptMayBeTorn = false;
    });
  }

  /**
   * Adds what a model call used and saves it soon, several calls together (SES-15). The session's place
   * in lists stays: its messages decide that. A failed save is told by the next message's.
   */
  addUsage(used: Usage): void {
    this.#meta = { ...this.#meta, usage: addUsage(this.#meta.usage, used) };
    if (this.#usageQueued) return; // the save that waits takes this along
    this.#usageQueued = true;
    const save = async (): Promise<void> => {
      this.#usageQueued = false;
      await this.#save(this.#meta, this.#meta.order);
    };
    this.#queue(save).catch(() => undefined); // the message at the turn's end saves the same, and says so
  }

  /** Changes the agent noted for it; kept in memory until the next write. */
  noteAgent(agent: string): void {
    this.#meta = { ...this.#meta, agent };
  }

  /** Makes it this workspace's, when it has none yet (SES-02). */
  async adopt(workspace: string): Promise<void> {
    if (this.#meta.workspace !== "") return;
    await this.#queue(() => this.#save({ ...this.#meta, workspace }));
  }

  /** @throws ApiError `INVALID_TITLE` when nothing is left of it */
  async rename(title: string): Promise<void> {
    const clean = titleOf(title);
    if (clean === "") throw apiError("INVALID_TITLE", "a session's title can't be empty", { name: title });
    await this.#queue(() => this.#save({ ...this.#meta, title: clean }));
  }

  /** Keeps a turn that waits for a person; on disk when it resolves (SES-26). `undefined` forgets it. */
  async saveTurn(text: string | undefined): Promise<void> {
    await this.#queue(async () => {
      if (text === undefined) await removeFile(this.#file(TURN));
      else await replaceFile(this.#file(TURN), text, this.#deps.randomHex());
    });
  }

  /** The turn that waited when it was last saved. */
  async savedTurn(): Promise<string | undefined> {
    return this.#saved ? await readText(this.#file(TURN)) : undefined;
  }

  /** Puts a saved turn that can't be read aside as `.bad`, so that nothing of it is lost (SES-26). */
  async setTurnAside(): Promise<void> {
    await this.#queue(() => rename(this.#file(TURN), this.#file(`${TURN}.bad`)));
  }

  /** Resolves when every write begun before is done. */
  async settled(): Promise<void> {
    await Promise.all([this.#logQueue(() => Promise.resolve()), this.#queue(() => Promise.resolve())]);
  }

  async #loadLog(): Promise<LogLine[]> {
    this.#log ??= parseLog((await readText(this.#file(".events.jsonl"))) ?? "");
    return this.#log;
  }

  async #save(meta: Metadata, keptOrder = 0): Promise<void> {
    const order = keptOrder > 0 ? keptOrder : await this.#deps.nextOrder();
    const updated = new Date(Math.max(this.#deps.now().getTime(), this.#meta.updated.getTime() + 1));
    const next = { ...meta, order, updated };
    this.#meta = next; // memory stays right when the disk fails; the next write tries again
    await replaceFile(this.#file(".meta.json"), formatMetadata(next, this.#stored), this.#deps.randomHex());
    this.#saved = true;
  }

  #file(suffix: string): string {
    return path.join(this.#deps.dir, `${this.id}${suffix}`);
  }
}

/** Runs writes one after the other; a failure is its caller's, the next one goes on. */
type WriteQueue = <T>(work: () => Promise<T>) => Promise<T>;

function createWriteQueue(): WriteQueue {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined); // the caller gets the failure
    return await mine;
  };
}
