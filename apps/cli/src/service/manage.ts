// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import type { Messages } from "@blitz/i18n";
import { type LoginItem, LoginItemError, type ServiceProgram } from "@blitz/loginitem";
import { isAnswering } from "@blitz/socket";
import { endpointOf } from "../attach.js";
import { type Parsed, usage } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import { printable } from "../output/output.js";
import type { Program } from "../program.js";
import { UsageError } from "../usage-error.js";
import { openWords } from "../words.js";
import { findLoginProgram } from "./blitzd-program.js";
import { systemLoginItem } from "./login-system.js";
import { withService } from "./running-service.js";
import { shellKeysOf } from "./shell-keys.js";

/** What managing the service needs. */
interface Managing {
  readonly program: Program;
  readonly messages: Messages;
  readonly item: LoginItem;
}

const ACTIONS: Readonly<Record<string, (managing: Managing) => Promise<number>>> = {
  install,
  uninstall,
  start: async (managing) => await throughItem(managing, "start"),
  restart: async (managing) => await throughItem(managing, "restart"),
  stop,
};
const WORDS: readonly string[] = ["install", "uninstall", "status", "start", "stop", "restart", "logs"];
const LOG_FLAGS: readonly string[] = ["day", "level", "lines"];

/** `blitz service …`: the service at login, and now (SVC-50…52). */
export async function runService(line: Parsed, program: Program): Promise<number> {
  const [word = "", ...others] = line.words;
  if (!WORDS.includes(word))
    throw usage(line.command, `service takes ${WORDS.join(", ")}${word === "" ? "" : `, not ${word}`}`);
  if (others.length > 0) throw usage(line.command, `service ${word} takes no ${others.join(" ")}`);
  const misplaced = LOG_FLAGS.find((flag) => word !== "logs" && line.has(flag));
  if (misplaced !== undefined) throw usage(line.command, `--${misplaced} goes with service logs only`);
  if (word === "logs") return await (await import("./service-logs.js")).showServiceLogs(line, program);
  const managing = { program, messages: await openWords(program), item: systemLoginItem(program) };
  if (word === "status") return await (await import("./service-status.js")).showStatus(managing);
  try {
    return (await ACTIONS[word]?.(managing)) ?? EXIT.failed;
  } catch (error) {
    throw asCommandError(error);
  }
}

/** A system without login items is a command line that can't work there (SVC-50). */
function asCommandError(error: unknown): unknown {
  if (!(error instanceof LoginItemError)) return error;
  if (error.kind === "unsupported") return new UsageError(error.message);
  if (error.kind === "failed") return error;
  return new Error(`${error.message}; install it: blitz service install, or run it in a terminal: bin/blitzd`);
}

async function install({ program, messages, item }: Managing): Promise<number> {
  const { t } = messages;
  const running = { script: process.argv[1] ?? "", runtime: process.execPath, path: program.env["PATH"] };
  const found = await findLoginProgram(running);
  if (found === undefined)
    throw new UsageError("there is no blitzd beside this program, nor on PATH: nothing to install");
  await item.install({ ...found, args: argsOf(program) }, program.signal);
  const { where } = await item.status(program.signal);
  const command = [found.runtime, found.program].filter((word) => word !== undefined).join(" ");
  program.stdout.write(`${printable(t("service.installed", { where, command }))}\n`);
  for (const { variable, setting } of await shellKeysOf(program)) {
    const file = path.join(program.configDir, ".env.toml");
    program.stderr.write(`${printable(t("service.shell_key", { variable, setting, file }))}\n`);
  }
  return EXIT.ok;
}

/** A login item has no environment of its own: what this program was told, it is told too. */
function argsOf(program: Program): NonNullable<ServiceProgram["args"]> {
  const config = program.configDir === path.join(program.home, ".blitz") ? [] : ["--config", program.configDir];
  const endpoint = program.env["BLITZ_SOCKET"] ?? "";
  return [...config, ...(endpoint === "" ? [] : ["--socket", path.resolve(program.cwd, endpoint)])];
}

async function uninstall({ program, messages, item }: Managing): Promise<number> {
  const { installed, where } = await item.status(program.signal);
  if (installed) await item.uninstall(program.signal);
  else program.stderr.write(`${printable(messages.t("service.not_installed", { where }))}\n`);
  if (installed) program.stdout.write(`${printable(messages.t("service.uninstalled", { where }))}\n`);
  return EXIT.ok;
}

async function throughItem({ program, messages, item }: Managing, action: "start" | "restart"): Promise<number> {
  await item[action](program.signal);
  program.stdout.write(`${messages.t(`service.${action}ed`)}\n`);
  return EXIT.ok;
}

/** Through the item, so that the system doesn't start it anew; else, or when it isn't the item's, by its own call. */
async function stop({ program, messages, item }: Managing): Promise<number> {
  const endpoint = endpointOf(program);
  const wasAnswering = await isAnswering(endpoint);
  const { installed } = await item.status(program.signal);
  if (installed && process.platform !== "win32") await item.stop(program.signal);
  if (await isAnswering(endpoint))
    return await withService(program, async ({ service }) => {
      const { pid } = await service.info();
      await service.shutdown();
      program.stdout.write(`${messages.t("service.stopping", { pid: String(pid) })}\n`);
      return EXIT.ok;
    });
  if (wasAnswering) program.stdout.write(`${messages.t("service.stopped")}\n`);
  else program.stderr.write(`${messages.t("service.not_running")}\n`);
  return EXIT.ok;
}
