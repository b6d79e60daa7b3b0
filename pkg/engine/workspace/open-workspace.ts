// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { randomBytes, randomUUID } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import {
  ApiError,
  apiError,
  type Backend,
  isReason,
  type PermissionRule,
  parsePermissionMode,
  type Ui,
} from "@blitz/api";
import type { Config } from "@blitz/config";
import { createRedactor } from "@blitz/redact";
import { loadAgents } from "../agents/index.js";
import { createGate, openApprovalStore } from "../approvals/index.js";
import { openAudit } from "../audit/index.js";
import { openCheckpoints } from "../checkpoints/index.js";
import { openFiles } from "../files/index.js";
import { loadMemory } from "../memory/index.js";
import type { ChatModel } from "../models/index.js";
import { systemText } from "../prompt/index.js";
import {
  createAgentsService,
  createChangesService,
  createContextService,
  createModelsService,
  createPermissionsService,
  createSessionsService,
  createTurnsService,
  guardOperations,
  joinServices,
} from "../services/index.js";
import { openSessions } from "../session/index.js";
import { createCalls, type Tool } from "../tools/call/index.js";
import { dialogTools } from "../tools/dialog/index.js";
import { fileTools } from "../tools/file/index.js";
import { createPlanGates, createTurns, type TurnSetting } from "../turn/index.js";
import { openCommands } from "./commands.js";
import { takeLock } from "./lock.js";
import { createModelChoice } from "./model-choice.js";
import { savePlan } from "./plan-file.js";
import { genSettingsOf, pricesOf } from "./settings.js";

/** How a workspace is opened (WS-07). */
export interface OpenOptions {
  /** The project's directory; links are resolved. */
  readonly dir: string;
  /** The user's home directory; Blitz's state is in `.blitz` under it. */
  readonly home: string;
  /** The workspace keeps this value as its own and never changes it (WS-02). */
  readonly config: Config;
  /** What children may inherit, scrubbed (SH-32). */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly warn: (message: string) => void;
  /** Rules for this run (PAR-PERM-11). */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly permissionMode?: string;
  /** A model in place of the configured one: tests, the demo. */
  readonly model?: ChatModel;
  readonly now?: () => Date;
}

/**
 * Opens a project directory: lock, books, gate, tools, turns, in that order; closing goes in reverse
 * (WS-03, 04, 09). The one place that knows concrete rooms.
 *
 * @throws ApiError `INVALID_WORKSPACE` `WORKSPACE_BUSY` `SANDBOX_UNAVAILABLE` `BAD_RULE` `UNKNOWN_MODE`
 *   `UNKNOWN_AGENT`; nothing stays open or locked then
 */
export async function openWorkspace(options: OpenOptions): Promise<Backend> {
  const { config, home, warn } = options;
  const now = options.now ?? (() => new Date());
  const state = path.join(home, ".blitz");
  const workspace = await canonical(options.dir);
  await using opening = new AsyncDisposableStack(); // a failure below closes what is open
  opening.use(await takeLock({ dir: path.join(state, "locks"), pid: process.pid, now }, workspace));

  const redactor = createRedactor(secretsOf(config, options.env));
  const agents = loadAgents();
  let activeAgent = agents.get(config.blitz.default_agent).name;
  const audit = opening.use(
    await openAudit({
      dir: config.audit.dir,
      enabled: config.audit.enabled,
      redact: redactor.text,
      clock: () => now().getTime(),
      warn,
    }),
  );
  const checkpoints = await openCheckpoints({
    dir: config.checkpoints.enabled ? config.checkpoints.dir : "",
    workspace,
    limits: { maxBytes: config.checkpoints.max_bytes, maxAgeDays: config.checkpoints.max_age_days },
    clock: () => now().getTime(),
    warn,
  });
  opening.defer(() => checkpoints.close());
  const rules = rulesOf(options);
  const blocked = [...config.sandbox.blocked_paths, ...stateBlocked(state), ...readDenied(rules)];
  const writable = expandAll(config.sandbox.allowed_paths, home, workspace);
  const readOnly = expandAll(config.sandbox.read_only_paths, home, workspace);
  const files = await openFiles({
    roots: { workspace, writable, readOnly },
    blocked,
    home,
    maxFileBytes: config.tools.max_file_size_bytes,
    beforeWrite: checkpoints.beforeWrite,
  });
  const commands = opening.use(
    await openCommands({ config, workspace, home, state, env: options.env, writable, readOnly, blocked, files }),
  );
  const gate = createGate({
    places: { workspace, home, ignoreCase: process.platform === "darwin" || process.platform === "win32" },
    rules,
    mode: parsePermissionMode(
      options.permissionMode ?? (config.blitz.auto_approve ? "bypass" : config.blitz.permission_mode),
    ),
    store: await openApprovalStore({ file: config.tools.approvals_file }),
    audit,
    sandboxActive: () => commands.status().active,
    unconfined: () => commands.status().unconfined,
    autoApproveCommands: () => config.tools.auto_approve_commands,
    clock: () => now().getTime(),
    warn,
  });
  const memory = await loadMemory({ config: config.memory, workspace, home, isBlocked: files.isBlocked });
  for (const problem of memory.problems) warn(problem);

  const randomHex = (): string => randomBytes(4).toString("hex");
  const store = openSessions({ dir: config.session.storage_dir, workspace, now, randomHex, warn });
  opening.defer(() => store.close());
  const plans = createPlanGates((session, plan) => savePlan(workspace, session, plan));
  const tools: readonly Tool[] = [
    ...fileTools({ files, workspace }),
    ...commands.tools(() => gate.rules.shell()),
    ...dialogTools({ plans, agentDecides: config.blitz.plan_review === "agent-decides" }),
  ];
  let ui: Ui | undefined;
  const choice = createModelChoice(options);
  const priceOf = pricesOf(config, now);
  const setting = async (): Promise<TurnSetting> => {
    const agent = agents.get(activeAgent);
    const model = await choice.current();
    const offered = toolsOf(tools, agent.tools);
    const system = systemText({
      agentPrompt: agent.prompt,
      agency: config.blitz.agency_level,
      workspace,
      platform: process.platform,
      memory: memory.text,
    });
    return { agent: agent.name, model, system, tools: offered, settings: genSettingsOf(config, model.name) };
  };
  const turns = createTurns({
    loop: {
      calls: createCalls({ tools, gate, audit, denied: gate.denied }),
      maxParallel: config.tools.max_parallel,
      newId: randomUUID,
      now,
      priceOf,
    },
    session: (id) => store.forTurn(id),
    setting,
    checkpoints,
    audit,
    plans,
    asker: () => ui?.ask,
    mode: {
      planning: () => gate.mode() === "plan" || config.blitz.plan_review === "always",
      leavePlan: (acceptEdits) => {
        if (acceptEdits) gate.setMode("accept-edits");
        else if (gate.mode() === "plan") gate.setMode("default");
      },
    },
  });
  opening.defer(() => turns.close(apiError("SHUTTING_DOWN", "the workspace is closing", {})));

  const owned = opening.move(); // success: the backend owns it now
  let closing: Promise<void> | undefined;
  const lifecycle = {
    dir: workspace,
    setUi: (next: Ui | undefined) => {
      ui = next;
      gate.setApprover(next?.approve);
    },
    sandboxSummary: async () => commands.status().lines,
    close: () => {
      closing ??= owned.disposeAsync();
      return closing;
    },
  };
  const active = {
    get: () => activeAgent,
    set: (name: string) => {
      activeAgent = name;
    },
  };
  const backend: Backend = joinServices(
    lifecycle,
    createTurnsService(turns),
    createSessionsService({ store, agent: active.get, audit }),
    createChangesService({ checkpoints, store, audit }),
    createAgentsService({ registry: agents, active, pins: config.agent_models }),
    createModelsService(choice, () => config.agent_models[activeAgent] ?? ""),
    createPermissionsService(gate),
    createContextService(store, memory.files),
  );
  return guardOperations(backend, () => undefined, asKnown);
}

/** @throws ApiError `INVALID_WORKSPACE` when it isn't a directory that can be entered */
async function canonical(dir: string): Promise<string> {
  try {
    const real = await realpath(dir);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw apiError(
      "INVALID_WORKSPACE",
      `${dir} can't be opened: ${(error as Error).message}`,
      { workspace: dir },
      error,
    );
  }
  throw apiError("INVALID_WORKSPACE", `${dir} is not a directory`, { workspace: dir });
}

function rulesOf({ config, allow = [], deny = [] }: OpenOptions): PermissionRule[] {
  const from = (
    effect: PermissionRule["effect"],
    rules: readonly string[],
    source: PermissionRule["source"],
  ): PermissionRule[] => rules.map((rule) => ({ effect, rule, source }));
  return [
    ...from("deny", deny, "flag"),
    ...from("deny", config.permissions.deny, "global"),
    ...from("ask", config.permissions.ask, "global"),
    ...from("allow", allow, "flag"),
    ...from("allow", config.permissions.allow, "global"),
  ];
}

/** `read` deny rules become blocked paths when the workspace opens (APR-57). */
function readDenied(rules: readonly PermissionRule[]): string[] {
  return rules.flatMap(({ effect, rule }) => {
    const pattern = /^\s*read\s*\((.*)\)\s*$/i.exec(rule)?.[1];
    return effect === "deny" && pattern !== undefined ? [pattern] : [];
  });
}

/** Blitz's own secrets and socket: never the agent's, wherever the roots are (SH-66). */
function stateBlocked(state: string): string[] {
  return ["run", "secrets.toml", ".env.toml", "approvals.json", "trust.json"].map((name) => path.join(state, name));
}

function expandAll(paths: readonly string[], home: string, workspace: string): string[] {
  return paths.map((one) =>
    path.resolve(workspace, one === "~" || one.startsWith("~/") ? path.join(home, one.slice(1)) : one),
  );
}

/** The agent's own tools and those every primary agent has, by name (MDL-32). */
function toolsOf(tools: readonly Tool[], named: readonly string[]): TurnSetting["tools"] {
  const always = new Set(["todo", "exit_plan_mode", "enter_plan_mode"]);
  return tools
    .filter((tool) => always.has(tool.name) || named.includes(tool.name))
    .map(({ name, description, schema }) => ({ name, description, schema }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Everything that must not be seen in records: keys, and values of variables children don't get (RED-03). */
function secretsOf(config: Config, env: OpenOptions["env"]): string[] {
  const keys = [config.llm.anthropic.api_key, config.llm.gemini.api_key, config.llm.openai.api_key];
  const globs = config.sandbox.scrub_env.map(
    (glob) => new RegExp(`^${glob.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "i"),
  );
  const scrubbed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && globs.some((glob) => glob.test(name)) ? [value] : [],
  );
  return [...keys, ...scrubbed];
}

/** What callers may see of a failure: an `ApiError`, or an abort; the rest is a bug (WS-82). */
function asKnown(error: unknown): unknown {
  if (error instanceof ApiError || isReason(error)) return error;
  if (error instanceof DOMException && error.name === "AbortError") return error;
  return apiError("INTERNAL", error instanceof Error ? error.message : String(error), {}, error);
}
