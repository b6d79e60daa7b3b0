// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import { addUsage, apiError, type Message, type Usage } from "@blitz/api";
import { type Event, formatEvent, type LogLine, parseLog } from "../history/index.js";
import { appendLines, readText, replaceFile } from "./disk.js";
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

/**
 * One conversation on disk: metadata, transcript and event log (17). The only writer of its files in
 * this process; writes are done one after the other (SES-49). Nothing is on disk until the first
 * message or title (SES-17).
 */
export class Session {
  readonly id: string;
  readonly #deps: SessionDeps;
  #meta: Metadata;
  #stored: StoredMetadata;
  #saved: boolean;
  #log: LogLine[] | undefined;
  #queue: Promise<unknown> = Promise.resolve();
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
    return await this.#inTurn(() => this.#loadLog());
  }

  /** The transcript's messages. */
  async messages(): Promise<readonly Message[]> {
    return await this.#inTurn(async () => {
      if (!this.#saved) return [];
      const text = await readText(this.#file(".jsonl"));
      return parseTranscript(text ?? "").map((line) => line.message);
    });
  }

  /** Appends final events; on disk when it resolves (ENG-100). */
  async appendEvents(events: readonly Event[]): Promise<void> {
    await this.#inTurn(async () => {
      const log = await this.#loadLog();
      for (const event of events) log.push({ event });
      await appendLines(this.#file(".events.jsonl"), events.map(formatEvent).join(""), this.#logMayBeTorn);
      this.#logMayBeTorn = false;
    });
  }

  /** Appends a message; a prompt notes the log's length before it and gives an untitled session its title. */
  async appendMessage(message: Message): Promise<void> {
    await this.#inTurn(async () => {
      const isPrompt = message.role === "user" && message.kind === "";
      const events = isPrompt ? (await this.#loadLog()).length : undefined;
      const title = this.#meta.title === "" && isPrompt ? titleOf(message.text) : this.#meta.title;
      await this.#save({ ...this.#meta, title, messageCount: this.#meta.messageCount + 1 });
      const line = formatMessage(events === undefined ? { message } : { message, events });
      await appendLines(this.#file(".jsonl"), line, this.#transcriptMayBeTorn);
      this.#transcriptMayBeTorn = false;
    });
  }

  /** Adds what a model call used (SES-15). */
  async addUsage(used: Usage): Promise<void> {
    await this.#inTurn(() => this.#save({ ...this.#meta, usage: addUsage(this.#meta.usage, used) }));
  }

  /** Changes the agent noted for it; kept in memory until the next write. */
  noteAgent(agent: string): void {
    this.#meta = { ...this.#meta, agent };
  }

  /** Makes it this workspace's, when it has none yet (SES-02). */
  async adopt(workspace: string): Promise<void> {
    if (this.#meta.workspace !== "") return;
    await this.#inTurn(() => this.#save({ ...this.#meta, workspace }));
  }

  /** @throws ApiError `INVALID_TITLE` when nothing is left of it */
  async rename(title: string): Promise<void> {
    const clean = titleOf(title);
    if (clean === "") throw apiError("INVALID_TITLE", "a session's title can't be empty", { name: title });
    await this.#inTurn(() => this.#save({ ...this.#meta, title: clean }));
  }

  /** Resolves when every write begun before is done. */
  async settled(): Promise<void> {
    await this.#inTurn(() => Promise.resolve());
  }

  async #loadLog(): Promise<LogLine[]> {
    this.#log ??= parseLog((await readText(this.#file(".events.jsonl"))) ?? "");
    return this.#log;
  }

  async #save(meta: Metadata): Promise<void> {
    const order = await this.#deps.nextOrder();
    const updated = new Date(Math.max(this.#deps.now().getTime(), this.#meta.updated.getTime() + 1));
    const next = { ...meta, order, updated };
    this.#meta = next; // memory stays right when the disk fails; the next write tries again
    await replaceFile(this.#file(".meta.json"), formatMetadata(next, this.#stored), this.#deps.randomHex());
    this.#saved = true;
  }

  #file(suffix: string): string {
    return path.join(this.#deps.dir, `${this.id}${suffix}`);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#queue.then(work);
    this.#queue = mine.catch(() => undefined); // the caller gets the failure; the next write goes on
    return await mine;
  }
}
