// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { loadConfig } from "@blitz/config";
import { type LogPage, readLog } from "@blitz/observability";
import { isAnswering } from "@blitz/socket";
import { endpointOf } from "../attach.js";
import { type Parsed, usage } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import { paint, printable } from "../output/output.js";
import type { Program } from "../program.js";
import { openWords } from "../words.js";
import { withService } from "./running-service.js";

/** Records shown when `-n` doesn't say. */
const DEFAULT_LINES: number = 100;
const COLOURS: Readonly<Record<string, number>> = { WARN: 33, ERROR: 31 };

/** `blitz service logs`: a day of the service's own log, the newest records last (SVC-06a). */
export async function showServiceLogs(line: Parsed, program: Program): Promise<number> {
  const query = { day: dayOf(line), minLevel: line.text("level") ?? "", text: "", limit: linesOf(line) };
  const page = await readPage(program, query);
  const { t } = await openWords(program);
  if (page.entries.length === 0) {
    program.stderr.write(`${printable(t("service.logs.none", { file: page.path }))}\n`);
    return EXIT.ok;
  }
  const left = page.matched - page.entries.length;
  if (left > 0) program.stderr.write(`${t("service.logs.more", { count: left })}\n`);
  for (const { time, level, message, attributes } of page.entries.toReversed()) {
    const more = attributes.map(({ key, value }) => ` ${key}=${quoted(value)}`).join("");
    const word = paint(program.stdout, COLOURS[level] ?? 0, level.padEnd(5));
    program.stdout.write(`${time.toISOString()} ${word} ${printable(`${message}${more}`).replaceAll("\n", " ")}\n`);
  }
  return EXIT.ok;
}

/** From the service when it answers, since it knows where it writes; else from where the settings say. */
async function readPage(
  program: Program,
  query: Parameters<typeof readLog>[1],
): Promise<Pick<LogPage, "entries" | "matched" | "path">> {
  if (!(await isAnswering(endpointOf(program)))) {
    const { configDir, home, env } = program;
    const { config } = await loadConfig({ dir: configDir, home, env });
    return await readLog(config.log.dir, query);
  }
  let page: Pick<LogPage, "entries" | "matched" | "path"> = { entries: [], matched: 0, path: "" };
  await withService(program, async ({ service }) => {
    page = await service.readLog(query);
    return EXIT.ok;
  });
  return page;
}

/** @throws UsageError for what is no day */
function dayOf(line: Parsed): string {
  const day = line.text("day") ?? "";
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true;
  if (day !== "" && !isDay) throw usage(line.command, `--day takes a day such as 2026-01-31, not "${day}"`);
  return day;
}

function linesOf(line: Parsed): number {
  const text = line.text("lines") ?? String(DEFAULT_LINES);
  if (!/^[1-9]\d{0,5}$/.test(text)) throw usage(line.command, `--lines can't be "${text}"`);
  return Number(text);
}

function quoted(value: string): string {
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
