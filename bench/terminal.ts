// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Measures a session in a pseudo-terminal: how soon the prompt is there, how soon a key shows, what it costs
// to wait, and what a long answer costs beside the one-shot.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Answer, FakeProvider } from "@blitz/fakeprovider";
import type * as NodePty from "@lydell/node-pty";
import { median, runProgram } from "./run-program.ts";

/** Where the measured programs run. */
export interface TerminalPlace {
  readonly root: string;
  readonly workspace: string;
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
  readonly provider: FakeProvider;
}

/** What was measured, by the name of its row. */
export interface TerminalFigures {
  readonly bareStartMs: number;
  readonly promptMs: number;
  /** A key pressed → its character on the terminal. */
  readonly echoMs: number;
  /** Processor time of the whole process tree in ten seconds of waiting. */
  readonly idleCpuMs: number;
  /** Resident memory of the process tree at the prompt. */
  readonly idleMb: number;
  /** Processor time for 20,000 tokens: the one-shot's whole run as text, and the session's turn. */
  readonly oneShotTokensMs: number;
  readonly tokensMs: number;
  /** A command that prints 50,000 lines, until the next prompt; the one-shot's whole run. */
  readonly oneShotLinesMs: number;
  readonly linesMs: number;
}

const NODE: string = process.execPath;
const IDLE_MS: number = 10_000;
/** Of Linux, in which /proc counts processor time. */
const TICK_MS: number = 10;

interface Session {
  readonly pty: NodePty.IPty;
  readonly promptMs: number;
  /** Resolves when the program has written something that matches, from now on. */
  readonly writes: (pattern: RegExp) => Promise<void>;
}

async function open({ root, workspace, config, env }: TerminalPlace): Promise<Session> {
  const begun = performance.now();
  const args = [path.join(root, "dist", "cli", "blitz.mjs"), "--local", "-c", config, "-d", workspace];
  // Native, so it isn't in the bundle that this is part of.
  const { spawn } = createRequire(path.join(root, "bench", "package.json"))("@lydell/node-pty") as typeof NodePty;
  const pty = spawn(NODE, args, { name: "xterm-256color", cols: 100, rows: 30, cwd: workspace, env });
  let written = "";
  let look = (): void => undefined;
  pty.onData((data) => {
    written += data;
    look();
  });
  const writes = async (pattern: RegExp): Promise<void> => {
    const done = Promise.withResolvers<void>();
    look = () => {
      if (!pattern.test(written)) return;
      written = "";
      done.resolve();
    };
    look();
    await done.promise;
  };
  await writes(/›/);
  return { pty, promptMs: performance.now() - begun, writes };
}

/** The process and what it started. */
function treeOf(pid: number): readonly number[] {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => Number(statOf(one)?.[1]) === pid);
  return [pid, ...children.flatMap(treeOf)];
}

/** Fields of /proc/<pid>/stat behind the name; `undefined` when the process has ended. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return undefined;
  }
}

function cpuMs(pid: number): number {
  return treeOf(pid).reduce((sum, one) => {
    const stat = statOf(one) ?? [];
    return sum + (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) * TICK_MS;
  }, 0);
}

function residentMb(pid: number): number {
  return treeOf(pid).reduce((sum, one) => {
    const status = readFileSync(`/proc/${one}/status`, "utf8");
    return sum + Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
  }, 0);
}

const rest = async (ms: number): Promise<void> => await new Promise((resolve) => setTimeout(resolve, ms));

/** Measures the session; waits between keys, so that each is a frame of its own. */
export async function measureTerminal(place: TerminalPlace, rounds: number): Promise<TerminalFigures> {
  const { provider, env, root, config } = place;
  const tokens: Answer = { text: "word ".repeat(20_000).trimEnd(), usage: { input: 100, output: 10 }, deltaLength: 5 };
  const lines: readonly Answer[] = [
    { parts: [{ type: "call", name: "run_shell_command", args: { command: "seq 1 50000" } }] },
    { text: "Counted." },
  ];
  const bare: number[] = [];
  const prompts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { startedAt, endedAt } = await runProgram(NODE, ["-e", "0"], env);
    bare.push(endedAt - startedAt);
    const { pty, promptMs } = await open(place);
    prompts.push(promptMs);
    pty.kill("SIGKILL");
  }

  const { pty, writes } = await open(place);
  const echoes: number[] = [];
  for (let at = 0; at < 60; at++) {
    const letter = String.fromCharCode(97 + (at % 26));
    const pressed = performance.now();
    pty.write(letter);
    await writes(new RegExp(letter));
    echoes.push(performance.now() - pressed);
    await rest(30);
  }
  pty.write("\u0003");
  await rest(1_000);
  const idleMb = residentMb(pty.pid);
  const before = cpuMs(pty.pid);
  await rest(IDLE_MS);
  const idleCpuMs = cpuMs(pty.pid) - before;

  const program = [path.join(root, "dist", "cli", "blitz.mjs")];
  const oneShot = async (answers: readonly Answer[]): Promise<Awaited<ReturnType<typeof runProgram>>> => {
    provider.script(...answers);
    const flags = ["-c", config, "-d", path.dirname(config), "--local", "--allow", "shell(seq *)"]; // the session has the workspace
    const ended = await runProgram(NODE, [...program, "exec", ...flags, "go"], env, true);
    if (ended.code !== 0) throw new Error(`the one-shot exited with ${ended.code}`);
    return ended;
  };
  const turn = async (answers: readonly Answer[]): Promise<{ readonly cpuMs: number; readonly wallMs: number }> => {
    provider.script(...answers);
    const [begun, used] = [performance.now(), cpuMs(pty.pid)];
    pty.write("go\r");
    await writes(/↳ \S+ in/);
    return { cpuMs: cpuMs(pty.pid) - used, wallMs: performance.now() - begun };
  };
  pty.write("/permissions allow shell(seq *)\r");
  await writes(/seq \*\)\./);
  const taken = {
    oneShotTokens: [] as number[],
    tokens: [] as number[],
    oneShotLines: [] as number[],
    lines: [] as number[],
  };
  for (let round = 0; round < Math.max(3, Math.floor(rounds / 3)); round++) {
    taken.oneShotTokens.push((await oneShot([tokens])).cpuMs);
    taken.tokens.push((await turn([tokens])).cpuMs);
    const { startedAt, endedAt } = await oneShot(lines);
    taken.oneShotLines.push(endedAt - startedAt);
    taken.lines.push((await turn(lines)).wallMs);
  }
  pty.kill("SIGKILL");
  return {
    bareStartMs: median(bare),
    promptMs: median(prompts),
    echoMs: median(echoes),
    idleCpuMs,
    idleMb,
    oneShotTokensMs: median(taken.oneShotTokens),
    tokensMs: median(taken.tokens),
    oneShotLinesMs: median(taken.oneShotLines),
    linesMs: median(taken.lines),
  };
}
