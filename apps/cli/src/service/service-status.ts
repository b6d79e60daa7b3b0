// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Messages } from "@blitz/i18n";
import { type LoginItem, LoginItemError } from "@blitz/loginitem";
import { isAnswering } from "@blitz/socket";
import { endpointOf } from "../attach.js";
import { EXIT } from "../exit-code.js";
import { printable } from "../output/output.js";
import type { Program } from "../program.js";
import { withService } from "./running-service.js";
import { briefDuration } from "./table.js";

/** What looking at the service needs. */
export interface StatusDeps {
  readonly program: Program;
  readonly messages: Messages;
  readonly item: Pick<LoginItem, "status">;
}

/** A line of the status: a key of the catalog for what it is, and what it says. */
type Line = readonly [name: string, text: string];

/** `blitz service status`: 0 when the service answers, 1 when not; in both cases whether it is installed (SVC-51). */
export async function showStatus(deps: StatusDeps): Promise<number> {
  const { program, messages } = deps;
  const endpoint = endpointOf(program);
  const answers = await isAnswering(endpoint);
  const lines: Line[] = [
    ...(answers ? await runningLines(program) : ([["state", messages.t("service.state.stopped")]] as const)),
    ["socket", endpoint],
    ["item", await itemText(deps)],
  ];
  program.stdout.write(renderLines(lines, messages));
  return answers ? EXIT.ok : EXIT.failed;
}

async function itemText({ item, program, messages }: StatusDeps): Promise<string> {
  try {
    const { installed, where } = await item.status(program.signal);
    return messages.t(installed ? "service.item.installed" : "service.item.missing", { where });
  } catch (error) {
    if (error instanceof LoginItemError) return error.message;
    throw error;
  }
}

async function runningLines(program: Program): Promise<readonly Line[]> {
  const lines: Line[] = [];
  await withService(program, async ({ service, messages }) => {
    const [info, workspaces] = await Promise.all([service.info(), service.listWorkspaces()]);
    const { version, pid, started, executable, replaced } = info;
    const age = started === undefined ? "" : briefDuration(Date.now() - started.getTime());
    const words = { version, pid: String(pid), since: started?.toISOString() ?? "", age };
    lines.push(["state", messages.t("service.state.running", words)]);
    lines.push(["program", replaced ? messages.t("service.replaced", { executable }) : executable]);
    lines.push(["workspaces", workspaces.length === 0 ? messages.t("service.no_workspaces") : workspaces.join("\n")]);
    return EXIT.ok;
  });
  return lines;
}

function renderLines(lines: readonly Line[], { t }: Messages): string {
  const titles = lines.map(([name]) => t(`service.line.${name}`));
  const width = Math.max(...titles.map((title) => title.length)) + 2;
  return lines
    .flatMap(([, text], at) =>
      text
        .split("\n")
        .map((part, index) => `${(index === 0 ? (titles[at] ?? "") : "").padEnd(width)}${printable(part)}\n`),
    )
    .join("");
}
