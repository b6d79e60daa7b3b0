// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import type { RuleEffect } from "@blitz/api";
import { logDays, readLog } from "@blitz/observability";
import type { WorkspaceService } from "@blitz/proto/workspace";
import { agentInfoToWire, checkpointToWire, dateToWire, errorInfoToWire, permissionRuleToWire } from "@blitz/wire";
import { type HandlerDeps, workspaceOf } from "./context.js";

/** WorkspaceService: each RPC's reasons are those of the contract's operation it calls (41). */
export function createWorkspaceService(deps: HandlerDeps): ServiceImpl<typeof WorkspaceService> {
  return {
    getServiceInfo: async () => {
      const { version, executable, started, pid } = deps.facts;
      return { version, executable, started: dateToWire(started), pid, replaced: await deps.facts.replaced() };
    },
    listLogDays: async () => ({ days: [...(await logDays(deps.logDir))], dir: deps.logDir }),
    readLog: async ({ day, minLevel, text, limit }) => {
      const page = await readLog(deps.logDir, { day, minLevel, text, limit }).catch((error: unknown) => {
        throw error instanceof RangeError ? new ConnectError(error.message, Code.InvalidArgument) : error;
      });
      return {
        ...page,
        entries: page.entries.map(({ time, level, message, attributes }) => ({
          time: dateToWire(time),
          level,
          message,
          attrs: [...attributes],
        })),
      };
    },
    shutdown: async () => {
      if (deps.stop === undefined)
        throw new ConnectError("this service can't be stopped this way", Code.FailedPrecondition);
      deps.stop();
      return {};
    },
    listWorkspaces: async () => ({ workspaces: [...deps.workspaces.list()] }),
    closeWorkspace: async (request) => {
      await deps.workspaces.close(request.workspace);
      return {};
    },
    getSandbox: async (request, context) => ({
      summary: [...(await (await workspaceOf(deps, request, context)).sandboxSummary())],
    }),
    listAgents: async (request, context) => ({
      agents: (await (await workspaceOf(deps, request, context)).listAgents()).map(agentInfoToWire),
    }),
    setAgent: async (request, context) => {
      const workspace = await workspaceOf(deps, request, context);
      await workspace.setAgent(request.name);
      return { agent: agentInfoToWire(await workspace.activeAgent()) };
    },
    getModel: async (request, context) => {
      const workspace = await workspaceOf(deps, request, context);
      const [model, error] = await Promise.all([workspace.model(), workspace.modelError()]);
      return { ...model, ...(error === undefined ? {} : { unavailable: errorInfoToWire(error) }) };
    },
    setModel: async (request, context) => await (await workspaceOf(deps, request, context)).setModel(request.ref),
    getSettings: async (request, context) => await (await workspaceOf(deps, request, context)).settings(),
    setSetting: async (request, context) => ({
      key: await (await workspaceOf(deps, request, context)).set(request.key, request.value),
    }),
    setPermissionMode: async (request, context) => ({
      mode: await (await workspaceOf(deps, request, context)).setPermissionMode(request.mode),
    }),
    listPermissionRules: async (request, context) => ({
      rules: (await (await workspaceOf(deps, request, context)).listPermissionRules()).map(permissionRuleToWire),
    }),
    addPermissionRule: async (request, context) => {
      const workspace = await workspaceOf(deps, request, context);
      const rule = await workspace.addPermissionRule(request.effect as RuleEffect, request.rule);
      return { rule: permissionRuleToWire(rule) };
    },
    removePermissionRule: async (request, context) =>
      await (await workspaceOf(deps, request, context)).removePermissionRule(request.rule),
    listMemoryFiles: async (request, context) => ({
      paths: [...(await (await workspaceOf(deps, request, context)).memoryFiles())],
    }),
    listCheckpoints: async (request, context) => ({
      checkpoints: (await (await workspaceOf(deps, request, context)).listCheckpoints()).map(checkpointToWire),
    }),
    undo: async (request, context) => {
      const { label, restored, error } = await (await workspaceOf(deps, request, context)).undo(request.force);
      return { label, restored: [...restored], ...(error === undefined ? {} : { error: errorInfoToWire(error) }) };
    },
    getDiff: async (request, context) => ({
      diff: await (await workspaceOf(deps, request, context)).sessionDiff(),
    }),
  };
}
