// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type {
  Answer,
  Answered,
  ApprovalRequest,
  Approver,
  Asker,
  Decision,
  PermissionMode,
  PermissionRule,
  Question,
  Request,
  RuleEffect,
} from "./approvals.js";
import type { ApiError } from "./errors.js";
import type { TurnEvent } from "./events.js";
import type { AgencyLevel, Effort } from "./levels.js";
import type { LiveEvent, TurnState } from "./live.js";
import type { Turn, TurnResult } from "./turn.js";
import type { Usage } from "./usage.js";

/** Who is asked while turns run. No UI: everything that would be asked is denied. */
export interface Ui {
  readonly approve: Approver;
  readonly ask: Asker;
}

/** Opening facts and closing of a backend. */
export interface Lifecycle {
  /** The workspace's canonical directory. */
  readonly dir: string;
  /** Sets who is asked; the last one set counts. */
  setUi(ui: Ui | undefined): void;
  /** Lines about the OS sandbox for commands: what holds and what doesn't (SH-65). */
  sandboxSummary(): Promise<readonly string[]>;
  /** Ends everything the backend runs and frees the workspace; idempotent (WS-09). */
  close(): Promise<void>;
}

/** Callbacks of a running turn. A throwing `onEvent` ends the turn with its error. */
export interface TurnHandlers {
  readonly onEvent: (event: TurnEvent) => void;
  /** Everything watchers of the turn are sent too; must not throw. */
  readonly onLive?: (event: LiveEvent) => void;
  /** After the prompt is recorded, before it is sent (WS-23). */
  readonly onAccepted?: () => void;
  /** The agent has stopped; saving goes on (WS-26). */
  readonly onFinished?: () => void;
  /** Aborting cancels the turn. */
  readonly signal?: AbortSignal;
  /** The client that sends it, for audit and watchers; a remote backend sends its own name. */
  readonly by?: string;
}

/** Callbacks of a watcher. A throwing one ends the watch with its error, never the turn. */
export interface WatchHandlers {
  /** First, and once. */
  readonly onState: (state: TurnState) => void;
  readonly onEvent: (event: LiveEvent) => void;
  /** Aborting ends the watch quietly; the turn goes on. */
  readonly signal?: AbortSignal;
}

/** Which events of a session a watcher wants. */
export interface WatchFrom {
  /** Event number already seen; 0 = from the turn's start, -1 = only new ones. */
  readonly after: number;
  /** The turn `after` counts in: another turn is sent from its start. Absent = whichever is live. */
  readonly turnId?: string;
  /** Later turns of the session too, until aborted. */
  readonly follow?: boolean;
}

/** Running prompts. */
export interface Turns {
  /**
   * Runs one prompt to its end.
   *
   * @throws ApiError `INVALID_TURN` `SESSION_BUSY` `MAX_TURNS` `COST_LIMIT` `TIME_LIMIT`
   *   `MODEL_UNAVAILABLE` `MODEL_FAILED` `QUOTA_EXCEEDED`; the abort reason when cancelled, an `AbortError`
   *   when somebody else did
   */
  run(sessionId: string, turn: Turn, handlers: TurnHandlers): Promise<TurnResult>;
  /** Hands a message to a running turn; `STEER_TOO_LATE` when none takes it (WS-27). `by`: the client that sends it. */
  steer(sessionId: string, text: string, by?: string): Promise<void>;
  /** Cancels the session's turn, or only the one named; whether one ran or waited. */
  cancelTurn(sessionId: string, turnId?: string): Promise<boolean>;
  /**
   * Follows the session's live or last turn, whoever sent it; resolves when it has ended (at once for
   * one that has) or the signal aborts (SVC-22, PRT-23).
   *
   * @throws ApiError `SESSION_NOT_FOUND`
   */
  watchSession(sessionId: string, from: WatchFrom, handlers: WatchHandlers): Promise<void>;
}

/** What waits for a person (SVC-26). */
export interface Requests {
  /** Oldest first; of every session without an ID. */
  pendingRequests(sessionId?: string): Promise<readonly Request[]>;
  /**
   * Answers one. The first valid answer wins; a later one is told which counts.
   *
   * @param by - the client that answers; a remote backend sends its own name
   * @throws ApiError `UNKNOWN_REQUEST`, `INVALID_DECISION`, `INVALID_ANSWER`; it stays open then
   */
  answerRequest(id: string, answer: Decision | Answer, by?: string): Promise<Answered>;
}

/** One message of a transcript. */
export interface Message {
  readonly role: "user" | "model" | "tool";
  readonly text: string;
  readonly time: Date;
  readonly kind: "" | "steer" | "hook" | "plan" | "task";
}

/** A session as listed; `messages` only for one that was opened. */
export interface SessionInfo {
  readonly id: string;
  readonly title: string;
  readonly agent: string;
  readonly workspace: string;
  /** Who began it: "" a person. */
  readonly origin: "" | "worker" | "background";
  readonly messageCount: number;
  readonly created: Date;
  readonly updated: Date;
  readonly messages?: readonly Message[];
}

/** Choosing and listing sessions (17). */
export interface Sessions {
  /**
   * Opens the session to run in: a new one, the latest of this workspace (`continueLatest`, or
   * `resume` = "latest"), or the one named (SES-30…32).
   *
   * @throws ApiError `RESUME_FAILED` when there is nothing to resume, `INVALID_ID`
   */
  openSession(
    resume: string,
    continueLatest: boolean,
  ): Promise<{ readonly session: SessionInfo; readonly resumed: boolean }>;
  activeSession(): Promise<SessionInfo | undefined>;
  /** Newest first; `all`: of every workspace. */
  listSessions(all: boolean): Promise<readonly SessionInfo[]>;
  /** A new session, active; one of a background run is never the active one (SVC-24). */
  newSession(origin?: "background"): Promise<SessionInfo>;
  /** Titles the active session; `INVALID_TITLE` when empty, `NO_ACTIVE_SESSION`. */
  renameSession(title: string): Promise<void>;
  /** `SESSION_OPEN` for an open one, `SESSION_NOT_FOUND`. */
  deleteSession(id: string): Promise<void>;
}

/** What an undo restored: sorted display paths. */
export interface UndoResult {
  readonly label: string;
  readonly restored: readonly string[];
  /** Set when restoring stopped part-way; `restored` says how far it came. */
  readonly error?: ApiError;
}

/** A prompt's changes, newest first. */
export interface Checkpoint {
  readonly id: string;
  readonly label: string;
  readonly time: Date;
  readonly files: readonly string[];
}

/** Undoing what prompts changed (06 §6). */
export interface Changes {
  listCheckpoints(): Promise<readonly Checkpoint[]>;
  /**
   * Takes back the latest prompt's changes.
   *
   * @param force - restore also files changed since
   * @throws ApiError `NOTHING_TO_UNDO`, `UNDO_CONFLICT` (nothing was changed)
   */
  undo(force: boolean): Promise<UndoResult>;
  /** Unified diff of every file this session changed, from before its first change to now. */
  sessionDiff(): Promise<string>;
}

/** An agent as listed. */
export interface AgentInfo {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly active: boolean;
  readonly pinnedModel: string;
}

/** Which agent answers. */
export interface Agents {
  listAgents(): Promise<readonly AgentInfo[]>;
  activeAgent(): Promise<AgentInfo>;
  /** From the next turn on; `UNKNOWN_AGENT` names the nearest. */
  setAgent(name: string): Promise<void>;
}

/** The model in use. */
export interface ModelInfo {
  readonly name: string;
  readonly provider: string;
}

/** Which model answers. */
export interface Models {
  /** Why the configured model can't be used, if it can't (WS-05). */
  modelError(): Promise<ApiError | undefined>;
  model(): Promise<ModelInfo>;
  /** From the next turn on, not saved; `BAD_MODEL_REF`, `MODEL_UNAVAILABLE`. */
  setModel(ref: string): Promise<{ readonly activePin: string }>;
}

/** The settings in force (WS-44). */
export interface SettingsInfo {
  readonly agency: AgencyLevel;
  readonly model: string;
  readonly provider: string;
  readonly agent: string;
  readonly locale: string;
  readonly permissionMode: PermissionMode;
  /** The session's, over every model's own; "auto" = each model's own (MDL-74). */
  readonly effort: Effort | "auto";
}

/** What is set. */
export interface Settings {
  settings(): Promise<SettingsInfo>;
  /**
   * Sets `agency` (also `agency_level`) or `effort` (`auto` or "" clears) from the next turn on, for as long as
   * the workspace is open; never saved (WS-43).
   *
   * @returns the setting's name in {@link SettingsInfo}
   * @throws ApiError `UNKNOWN_SETTING`, `INVALID_AGENCY`, `INVALID_SETTING`; nothing changes then
   */
  set(key: string, value: string): Promise<string>;
}

/** Where a rule change is kept: "" = this session. */
export type Scope = "" | "global" | "workspace";

/** Permission mode, rules and remembered answers (05). */
export interface Permissions {
  /** `UNKNOWN_MODE`, `BYPASS_NEEDS_SANDBOX`; the mode now in force. */
  setPermissionMode(mode: string): Promise<PermissionMode>;
  listPermissionRules(): Promise<readonly PermissionRule[]>;
  /** Adds a rule for this session; `BAD_RULE`. */
  addPermissionRule(effect: RuleEffect, rule: string): Promise<PermissionRule>;
  /**
   * Takes back a rule of this session or of its flags, whatever its effect and in any spelling. One that comes from
   * settings, or is built in, stays: `removed` is false then, as for one that isn't there (PAR-PERM-12).
   *
   * @throws ApiError `BAD_RULE`
   */
  removePermissionRule(rule: string): Promise<{ readonly rule: string; readonly removed: boolean }>;
}

/** What the context holds. */
export interface Context {
  usage(): Promise<Usage>;
  /** Instruction files in the system text, most general first. */
  memoryFiles(): Promise<readonly string[]>;
}

/**
 * Everything a front end can ask of Blitz: the sum of the small interfaces, implemented by the
 * engine's workspace and by the service's client alike (40).
 */
export interface Backend
  extends Lifecycle,
    Turns,
    Requests,
    Sessions,
    Changes,
    Agents,
    Models,
    Settings,
    Permissions,
    Context {}

export type { Answer, ApprovalRequest, Decision, Question };
