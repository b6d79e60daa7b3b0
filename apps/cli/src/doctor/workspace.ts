// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { parseLevel } from "@blitz/observability";
import { isAnswering } from "@blitz/socket";
import { endpointOf } from "../attach.js";
import { type Check, type Examined, type Finding, good, warning } from "./finding.js";
import { checkPrivate } from "./private-path.js";

/** The diagnostic log; its place among the checks is before the models. */
export const LOG_CHECK: Check = {
  name: "log",
  run: async ({ config: { log } }) => {
    const level = parseLevel(log.level);
    if (level === undefined)
      return warning(`log.level can't be "${log.level}": set debug, info, warn, error or off; info is kept`);
    return level === "off" ? good("off") : await checkPrivate(log.dir, good(`${log.dir} (made by the service)`));
  },
};

/** The workspace, what holds commands and changes in check, and what is kept of them (CLI-51). */
export const WORKSPACE_CHECKS: readonly Check[] = [
  { name: "workspace", run: workspace },
  { name: "shell sandbox", run: shellSandbox },
  { name: "permissions", run: permissions },
  {
    name: "sessions",
    run: async ({ config: { session } }) =>
      await checkPrivate(session.storage_dir, good(`${session.storage_dir} (made with the first session)`)),
  },
  {
    name: "audit log",
    run: async ({ config: { audit } }) =>
      audit.enabled
        ? await checkPrivate(audit.dir, good(`${audit.dir} (made with the first session)`))
        : warning("off, so nothing records what was done: set audit.enabled = true"),
  },
  { name: "instructions", run: instructions },
  {
    name: "service",
    run: async ({ program }) => {
      const endpoint = endpointOf(program);
      return good((await isAnswering(endpoint)) ? `answers at ${endpoint}` : "not running; runs are in this process");
    },
  },
];

/** Another process that has it open is in the way, unless it may be the service, where runs go. */
async function workspace({ engine, program }: Examined): Promise<Finding> {
  const dir = await engine.folder();
  const holder = await engine.holder();
  if (holder === undefined) return good(dir);
  const open = `${dir} is open in process ${holder.pid} since ${holder.started}`;
  return (await isAnswering(endpointOf(program))) ? good(open) : warning(`${open}: go on there, or end it`);
}

async function shellSandbox({ engine }: Examined): Promise<Finding> {
  const { mode, active, lines } = await engine.sandbox();
  if (active) return good(lines.filter((line) => !/^(writable|read-only|blocked): /.test(line)).join("; "));
  if (mode === "off") return warning('off: commands run unconfined; sandbox.shell = "auto" confines them');
  return warning(lines.join("; "));
}

async function permissions({ engine, config }: Examined): Promise<Finding> {
  const { mode, rules } = engine.permissions();
  const counts = (["allow", "ask", "deny"] as const).map(
    (effect) => `${rules.filter((rule) => rule.effect === effect).length} ${effect}`,
  );
  const from = config.blitz.auto_approve ? `${mode} (auto_approve)` : mode;
  const found = `${from}; rules: ${counts.join(", ")}`;
  const needsSandbox = mode === "bypass" && !(await engine.sandbox()).active;
  return needsSandbox ? warning(`${found}; bypass needs the OS sandbox: sessions start in default`) : good(found);
}

async function instructions({ engine, config }: Examined): Promise<Finding> {
  if (!config.memory.enabled) return good("off (memory.enabled = false)");
  const { files, problems, missing } = await engine.instructions();
  const found = files.length === 0 ? "none found" : files.join(", ");
  const wrong = [...problems, ...missing.map((name) => `${name} isn't there`)];
  return wrong.length === 0 ? good(found) : warning(`${found}; mend: ${wrong.join("; ")}`);
}
