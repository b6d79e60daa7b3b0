// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { homedir } from "node:os";
import path from "node:path";
import { isatty } from "node:tty";
import { stat } from "node:fs/promises";
import { COMMANDS, helpOf } from "./commands.js";
import { type Parsed, parseCommandLine } from "./command-line.js";
import { EXIT, exitCodeOf } from "./exit-code.js";
import { createOutput, type Output, printable, wantsColour } from "./output/output.js";
import { HungUp, messageOf, OutputClosed, type Program } from "./program.js";
import { UsageError } from "./usage-error.js";

/** Runs a command line; resolves with the exit code when everything is written (CLI-83). */
export async function main(argv: readonly string[], version: string): Promise<number> {
  if (argv[0] === "serve") return await serve(argv.slice(1));
  const abort = new AbortController();
  const onClosed = (): void => abort.abort(new OutputClosed());
  const colour = wantsColour(process.env);
  const stdout = createOutput(process.stdout, colour, onClosed);
  const stderr = createOutput(process.stderr, colour, onClosed);
  const signals = listenForSignals(abort);
  try {
    const line = parseCommandLine(argv);
    return await dispatch(line, { stdout, stderr, abort, version, takeInterrupts: signals.take });
  } catch (error) {
    if (abort.signal.reason instanceof OutputClosed) return EXIT.ok;
    const interrupted = abort.signal.aborted;
    const code = exitCodeOf(error, interrupted);
    if (code !== EXIT.interrupted) stderr.write(`blitz: ${printable(messageOf(error))}\n`);
    return code;
  } finally {
    signals.stop();
    await Promise.all([stdout.flush(), stderr.flush()]);
  }
}

interface Ends {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly abort: AbortController;
  readonly version: string;
  readonly takeInterrupts: Program["takeInterrupts"];
}

async function dispatch(line: Parsed, ends: Ends): Promise<number> {
  if (line.has("help")) {
    ends.stdout.write(helpOf(line.command));
    return EXIT.ok;
  }
  if (line.command.name === "" && line.has("version")) {
    ends.stdout.write(`blitz ${ends.version}\n`);
    return EXIT.ok;
  }
  const program = await programOf(line, ends);
  switch (line.has("demo") ? "demo" : line.command.name) {
    case "":
    case "exec":
      if (isInteractive(line)) return await (await import("./tui/start.js")).startRepl(line, program);
      return await (await import("./one-shot.js")).runOneShot(line, program);
    case "init":
      return await (await import("./one-shot.js")).runInit(line, program);
    case "demo":
      return await (await import("./demo.js")).runDemo(program);
    case "undo":
      return await (await import("./undo.js")).runUndo(line, program);
    case "sessions":
      return await (await import("./sessions.js")).runSessions(line, program);
    case "agents":
      return await (await import("./service/agents.js")).runAgents(line, program);
    case "attach":
      return await (await import("./service/attach-run.js")).runAttach(line, program);
    case "logs":
      return await (await import("./service/logs.js")).runLogs(line, program);
    case "stop":
      return await (await import("./service/stop.js")).runStop(line, program);
    case "approvals":
      return await (await import("./service/approvals.js")).runApprovals(line, program);
    case "config":
      return await (await import("./settings-command.js")).runSettings(line, program);
    case "license":
      return await (await import("./license-command.js")).runLicense(line, program);
    case "completion":
      return (await import("./completion/completion.js")).runCompletion(line, program);
    case "doctor":
      return await (await import("./doctor/doctor.js")).runDoctor(line, program);
    case "service":
      return await (await import("./service/manage.js")).runService(line, program);
    default:
      throw new UsageError(`unknown command; known: ${COMMANDS.map((one) => one.name).join(", ")}`);
  }
}

/** Another program with the same arguments: its flags aren't this one's, and it minds signals itself (SVC-00). */
async function serve(argv: readonly string[]): Promise<number> {
  const running = { script: process.argv[1] ?? "", runtime: process.execPath, path: process.env["PATH"] };
  return await (await import("./service/serve.js")).runServe(argv, running);
}

async function programOf(line: Parsed, ends: Ends): Promise<Program> {
  const { env } = process;
  const home = homedir();
  const cwd = process.cwd();
  const configDir = line.text("config") ?? env["MODENV_PREFIX"] ?? path.join(home, ".blitz");
  const dir = absolute(line.text("dir") ?? cwd, home, cwd);
  const found = await stat(dir).catch(() => undefined);
  if (found?.isDirectory() !== true) throw new UsageError(`${dir} is not a directory`);
  const isPlain = line.has("plain") || !["", "0", undefined].includes(env["BLITZ_PLAIN"]);
  const output = (given: Output): Output => (isPlain ? { ...given, colour: false } : given);
  return {
    stdout: output(ends.stdout),
    stderr: output(ends.stderr),
    stdin: () => process.stdin,
    env,
    home,
    cwd,
    configDir: absolute(configDir, home, cwd),
    dir,
    signal: ends.abort.signal,
    takeInterrupts: ends.takeInterrupts,
    version: ends.version,
    isPlain,
  };
}

function absolute(given: string, home: string, cwd: string): string {
  return path.resolve(cwd, given === "~" || given.startsWith("~/") ? path.join(home, given.slice(1)) : given);
}

/** `-i`, or a person at a terminal who gave no prompt (CLI-05). */
function isInteractive(line: Parsed): boolean {
  if (line.command.name !== "") return false;
  const hasPrompt = line.words.length > 0 || line.has("prompt") || line.text("input-format") === "stream-json";
  return line.has("interactive") || (!hasPrompt && !line.has("bg") && isatty(0));
}

/** Signals of the process, while it runs. */
interface Signals {
  readonly take: Program["takeInterrupts"];
  readonly stop: () => void;
}

/** The first signal cancels the run, a second one ends the program at once (CLI-19); SIGINT only where nobody took it. */
function listenForSignals(abort: AbortController): Signals {
  const taken: (() => void)[] = [];
  const onSignal = (signal: NodeJS.Signals): void => {
    const interrupt = signal === "SIGINT" ? taken.at(-1) : undefined;
    if (interrupt !== undefined) return interrupt();
    if (abort.signal.aborted) process.exit(EXIT.interrupted);
    abort.abort(signal === "SIGHUP" ? new HungUp("interrupted") : new DOMException("interrupted", "AbortError"));
  };
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    take: (onInterrupt) => {
      taken.push(onInterrupt);
      return { [Symbol.dispose]: () => void taken.splice(taken.lastIndexOf(onInterrupt), 1) };
    },
    stop: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
