// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { randomBytes, randomUUID } from "node:crypto";
import path from "node:path";
import { apiError, type Backend, parsePermissionMode, type Ui } from "@blitz/api";
import { parseDuration } from "@blitz/config";
import { createRedactor } from "@blitz/redact";
import { loadAgents } from "../agents/index.js";
import { type ApprovalGate, createGate, openApprovalStore } from "../approvals/index.js";
import { type Audit, openAudit } from "../audit/index.js";
import { type Checkpoints, openCheckpoints } from "../checkpoints/index.js";
import type { Files } from "../files/index.js";
import { createLiveTurns } from "../live/index.js";
import { loadMemory, type Memory } from "../memory/index.js";
import { createRequestBroker } from "../requests/index.js";
import {
  createAgentsService,
  createChangesService,
  createContextService,
  createModelsService,
  createPermissionsService,
  createRequestsService,
  createSessionsService,
  createSettingsService,
  createTurnsService,
  guardOperations,
  joinServices,
  type SessionSettings,
} from "../services/index.js";
import { openSessions } from "../session/index.js";
import { createCalls } from "../tools/call/index.js";
import { dialogTools } from "../tools/dialog/index.js";
import { fileTools } from "../tools/file/index.js";
import { createPlanGates, createTurns } from "../turn/index.js";
import { createApprover } from "./approver.js";
import { asKnown, passHandlerErrors, secretsOf } from "./boundary.js";
import { type Commands, createCommands } from "./commands.js";
import { takeLock } from "./lock.js";
import { createModelChoice } from "./model-choice.js";
import type { OpenOptions, Workspace } from "./open-options.js";
import { canonicalWorkspace, reachOf } from "./places.js";
import { savePlan } from "./plan-file.js";
import { openSandboxedFiles } from "./sandboxed-files.js";
import { pricesOf } from "./settings.js";
import { startingRules } from "./starting-rules.js";
import { turnSetting } from "./turn-setting.js";

/**
 * Opens a project directory: lock, hands, gate, books, turns, in that order; closing goes in reverse
 * (WS-03, 04, 09). The one place that knows concrete rooms.
 *
 * @throws ApiError `INVALID_WORKSPACE` `WORKSPACE_BUSY` `SANDBOX_UNAVAILABLE` `BAD_RULE` `UNKNOWN_MODE`
 *   `UNKNOWN_AGENT`; nothing stays open or locked then
 */
export async function openWorkspace(options: OpenOptions): Promise<Workspace> {
  const now = options.now ?? (() => new Date());
  const state = path.join(options.home, ".blitz");
  const workspace = await canonicalWorkspace(options.dir);
  await using opening = new AsyncDisposableStack(); // a failure below closes what is open
  opening.use(await takeLock({ dir: path.join(state, "locks"), pid: process.pid, now }, workspace));
  const hands = await openHands({ ...options, workspace, state, now }, opening);
  const { turns, backend } = await openDesk({ ...options, workspace, state, now }, hands, opening);
  opening.defer(() => turns.close(apiError("SHUTTING_DOWN", "the workspace is closing", {})));
  if (options.isHosted === true) await turns.restore();

  const owned = opening.move(); // success: the backend owns it now
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= owned.disposeAsync();
    return closing;
  };
  const guarded = guardOperations({ ...backend, busy: turns.busy, windDown: turns.windDown, close }, asKnown);
  return { ...guarded, run: passHandlerErrors(guarded.run) };
}

/** Options with what opening found out. */
interface Opening extends OpenOptions {
  readonly workspace: string;
  readonly state: string;
  readonly now: () => Date;
}

/** The rooms of floor 1 and the gate in front of them. */
interface Hands {
  readonly audit: Audit;
  readonly checkpoints: Checkpoints;
  readonly files: Files;
  readonly commands: Commands;
  readonly gate: ApprovalGate;
}

async function openHands(about: Opening, opening: AsyncDisposableStack): Promise<Hands> {
  const { config, home, workspace, state, warn, now, env } = about;
  const clock = (): number => now().getTime();
  const redact = createRedactor(secretsOf(config, env)).text;
  const audit = opening.use(
    await openAudit({ dir: config.audit.dir, enabled: config.audit.enabled, redact, clock, warn }),
  );
  const limits = { maxBytes: config.checkpoints.max_bytes, maxAgeDays: config.checkpoints.max_age_days };
  const checkpoints = await openCheckpoints({
    dir: config.checkpoints.enabled ? config.checkpoints.dir : "",
    workspace,
    limits,
    clock,
    warn,
  });
  opening.defer(() => checkpoints.close());
  const rules = startingRules(config, { allow: about.allow ?? [], deny: about.deny ?? [] });
  const reach = reachOf(about, rules, about.blocked ?? []);
  const files = await openSandboxedFiles(about, reach, checkpoints.beforeWrite);
  const commands = opening.use(createCommands({ config, workspace, home, state, env, ...reach, files }));
  const mode = parsePermissionMode(
    about.permissionMode ?? (config.blitz.auto_approve ? "bypass" : config.blitz.permission_mode),
  );
  // Only these need to know of the sandbox now; else it is probed before the first command.
  if (mode === "bypass" || config.sandbox.shell === "required") await commands.ready();
  const gate = createGate({
    places: { workspace, home, ignoreCase: process.platform === "darwin" || process.platform === "win32" },
    rules,
    mode,
    store: await openApprovalStore({ file: config.tools.approvals_file }),
    audit,
    sandboxActive: () => commands.status().active,
    unconfined: () => commands.status().unconfined,
    autoApproveCommands: () => config.tools.auto_approve_commands,
    clock,
    warn,
  });
  return { audit, checkpoints, files, commands, gate };
}

async function openDesk(about: Opening, hands: Hands, opening: AsyncDisposableStack) {
  const { config, home, workspace, warn, now } = about;
  const { audit, checkpoints, files, commands, gate } = hands;
  const agents = loadAgents();
  let agent = agents.get(config.blitz.default_agent).name;
  // Read while the rest is put together and the model's SDK loads; a turn waits for it.
  const readMemory = async (): Promise<Memory> => {
    const loaded = await loadMemory({ config: config.memory, workspace, home, isBlocked: files.isBlocked });
    for (const problem of loaded.problems) warn(problem);
    return loaded;
  };
  let memory = readMemory();
  opening.defer(async () => void (await memory.catch(() => undefined)));
  const randomHex = (): string => randomBytes(4).toString("hex");
  const store = openSessions({ dir: config.session.storage_dir, workspace, now, randomHex, warn });
  opening.defer(() => store.close());
  const plans = createPlanGates((session, plan) => savePlan(workspace, session, plan));
  const agentDecides = config.blitz.plan_review === "agent-decides";
  const tools = [
    ...fileTools({ files, workspace }),
    ...commands.tools(() => gate.rules.shell()),
    ...dialogTools({ plans, agentDecides }),
  ];
  const choice = createModelChoice(about);
  const session: SessionSettings = { agency: config.blitz.agency_level, effort: "auto" };
  let ui: Ui | undefined;
  const requests = createRequestBroker({
    now,
    newId: () => randomBytes(12).toString("hex"),
    ui: () => ui,
    isHosted: about.isHosted === true,
    expiryMs: parseDuration(config.service.request_expiry) ?? 0,
  });
  gate.setApprover(createApprover(requests));
  const live = createLiveTurns({ requests: requests.pending });
  const turns = createTurns({
    loop: {
      calls: createCalls({ tools, gate, audit, denied: gate.denied }),
      maxParallel: config.tools.max_parallel,
      newId: randomUUID,
      now,
      priceOf: pricesOf(config, now),
    },
    session: store.forTurn,
    findSession: store.find,
    release: store.release,
    waiting: store.waiting,
    setting: async (named) => {
      const [model, { text }] = await Promise.all([choice.current(), memory]);
      return turnSetting({ config, workspace, memory: text, tools, session }, agents.get(named ?? agent), model);
    },
    reloadMemory: async () => {
      memory = readMemory();
      await memory;
    },
    checkpoints,
    audit,
    plans,
    requests,
    live,
    keepsWaiting: about.isHosted === true,
    warn,
    mode: {
      planning: () => gate.mode() === "plan" || config.blitz.plan_review === "always",
      leavePlan: (acceptEdits) => {
        if (acceptEdits) gate.setMode("accept-edits");
        else if (gate.mode() === "plan") gate.setMode("default");
      },
    },
  });
  const lifecycle = {
    dir: workspace,
    setUi: (next: Ui | undefined) => {
      ui = next;
    },
    sandboxSummary: async () => (await commands.ready()).lines,
  };
  const active = {
    get: () => agent,
    set: (name: string) => {
      agent = name;
    },
  };
  const models = createModelsService(choice, () => config.agent_models[agent] ?? "");
  const backend: Omit<Backend, "close"> = joinServices(
    lifecycle,
    createTurnsService({ turns, live, store }),
    createRequestsService(requests),
    createSessionsService({
      store,
      isLive: (id) => live.state(id).phase !== "ended",
      agent: active.get,
      audit,
    }),
    createChangesService({ checkpoints, store, audit }),
    createAgentsService({ registry: agents, active, pins: config.agent_models }),
    models,
    createSettingsService({
      session,
      locale: config.ui.locale,
      model: models.model,
      agent: active.get,
      permissionMode: gate.mode,
    }),
    createPermissionsService(gate, async () => void (await commands.ready())),
    createContextService(store, async () => (await memory).files),
  );
  return { turns, backend };
}
