// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Backend, SessionInfo } from "@blitz/api";
import { type LoadedConfig, loadConfig } from "@blitz/config";
import type { Messages } from "@blitz/i18n";
import { attachWhenServed } from "./attach.js";
import { openLocal } from "./open-backend.js";
import { printable } from "./output/output.js";
import type { Program } from "./program.js";
import type { RunOptions } from "./run-options.js";

/** The interface's words, loaded when the first one is needed. */
export type Words = () => Promise<Messages>;

/** Who asks for a workspace, and with which flags. */
export interface Reaching {
  readonly program: Program;
  readonly options: RunOptions;
  readonly messages: Words;
}

/** What opening the workspace takes. */
export interface Opening extends Reaching {
  readonly loaded: LoadedConfig;
}

/** The settings, with what the command line overrides (CLI-11). */
export async function settings(program: Program, options: RunOptions): Promise<LoadedConfig> {
  const env = {
    ...program.env,
    ...(options.model === undefined ? {} : { BLITZ_MODEL: options.model }),
    ...(options.agent === undefined ? {} : { BLITZ_AGENT: options.agent }),
    ...(options.agency === undefined ? {} : { BLITZ_AGENCY: options.agency }),
  };
  return await loadConfig({ dir: program.configDir, workspace: program.dir, home: program.home, env });
}

/** The workspace: in the service when one answers, else in this process (CLI-14). */
export async function openFor(run: Opening): Promise<{ readonly backend: Backend; readonly isAttached: boolean }> {
  const { program, options } = run;
  const served = options.local ? undefined : await attachWhenServed(program);
  if (served !== undefined) {
    await applyOptions(run, served);
    return { backend: served, isAttached: true };
  }
  const backend = await openLocal({
    dir: program.dir,
    home: program.home,
    config: run.loaded.config,
    env: program.env,
    warn: (message) => program.stderr.write(`blitz: ${printable(message)}\n`),
    allow: options.allow,
    deny: options.deny,
    ...(options.permissionMode === undefined ? {} : { permissionMode: options.permissionMode }),
  });
  if (options.effort !== undefined) await backend.set("effort", options.effort);
  return { backend, isAttached: false };
}

/** What the command line sets is the workspace's in the service, for every client of it; so it is said. */
export async function applyOptions({ options, program, messages }: Reaching, backend: Backend): Promise<void> {
  const { model, agent, agency, effort, permissionMode, allow, deny, format } = options;
  if (model !== undefined) await backend.setModel(model);
  if (agent !== undefined) await backend.setAgent(agent);
  if (agency !== undefined) await backend.set("agency", agency);
  if (effort !== undefined) await backend.set("effort", effort);
  if (permissionMode !== undefined) await backend.setPermissionMode(permissionMode);
  for (const rule of deny) await backend.addPermissionRule("deny", rule);
  for (const rule of allow) await backend.addPermissionRule("allow", rule);
  if (format !== "text") return;
  const { t } = await messages();
  const isChanged =
    [model, agent, agency, effort, permissionMode].some((one) => one !== undefined) || allow.length + deny.length > 0;
  if (options.background && !isChanged) return;
  program.stderr.write(`${printable(t(isChanged ? "attach.changed" : "attach.done"))}\n`);
}

/** Says whose session it is when it belongs to another workspace (CLI-18). */
export async function warnElsewhere({ program, messages }: Reaching, session: SessionInfo, dir: string): Promise<void> {
  if (session.workspace === dir) return;
  const { t } = await messages();
  program.stderr.write(`${printable(t("session.elsewhere", { workspace: session.workspace }))}\n`);
}
