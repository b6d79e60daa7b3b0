// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// `npm run bench`: measures Blitz beside bare Node programs on the same Node, interleaved in one run,
// and prints a table and JSON. Not a test: nothing here passes or fails by a time.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { type Answer, type FakeProvider, startFakeProvider } from "@blitz/fakeprovider";
import { type Ended, median, runProgram } from "./run-program.ts";
import { measureService } from "./service.ts";
import { measureTerminal } from "./terminal.ts";

/** tools/bench.ts bundles this file and runs it from the checkout. */
const ROOT: string = process.cwd();
const BENCH: string = path.join(ROOT, "bench");
const ROUNDS: number = Number(process.argv[2] ?? 15);
const NODE: string = process.execPath;

interface Figure {
  readonly name: string;
  readonly bare: number;
  readonly blitz: number;
  readonly unit: string;
  /** How the aim is read: against the bare figure, or by itself. */
  readonly aim: string;
}

const scratch = mkdtempSync(path.join(tmpdir(), "blitz-bench-"));
const home = path.join(scratch, "home");
const workspace = path.join(scratch, "ws");
const config = path.join(scratch, "config");
for (const dir of [home, workspace, config]) mkdirSync(dir);
writeFileSync(path.join(workspace, "a.txt"), "A line of a file that is read by a tool.\n".repeat(37).slice(0, 1_500));
const env: Record<string, string> = { HOME: home, PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8" };

const blitz = path.join(ROOT, "dist", "cli", "blitz.mjs");
const bareSdk = path.join(scratch, "bare-sdk.mjs");
await build({
  entryPoints: [path.join(BENCH, "bare-sdk.mjs")],
  outfile: bareSdk,
  bundle: true,
  minify: true,
  platform: "node",
  format: "esm",
  logLevel: "error",
  banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
});

await using provider = await startFakeProvider();
writeFileSync(
  path.join(config, ".env.toml"),
  `[llm]\nprovider = "anthropic"\nmax_retries = 0\n[llm.anthropic]\napi_key = "test-key-0000000000"\nbase_url = "${provider.url}"\nfallbacks = "off"\n`,
);
const exec = ["exec", "-c", config, "-d", workspace, "--local", "--output-format", "json", "go"];
const bareTurn = [path.join(BENCH, "bare-turn.mjs"), provider.url, path.join(workspace, "a.txt")];
const leanTurn = [...bareTurn, "lean"];
const usage = { input: 100, output: 10 };

/** What the provider saw of one run. */
interface Turn {
  readonly ended: Ended;
  readonly firstRequestMs: number;
  readonly exitMs: number;
  readonly roundMs: number;
  readonly firstBytes: number;
}

async function turn(
  server: FakeProvider,
  args: readonly string[],
  answers: readonly Answer[],
  reports: boolean,
): Promise<Turn> {
  const from = server.requests.length;
  const sentAt: number[] = [];
  server.script(...answers);
  const watch = (async () => {
    for (let at = from; at < from + answers.length; at++) {
      while (server.requests.length <= at) await new Promise((resolve) => setImmediate(resolve));
      await server.requests[at]?.closed;
      sentAt.push(performance.now());
    }
  })();
  const ended = await runProgram(NODE, args, env, reports);
  if (ended.code !== 0)
    throw new Error(`${args[0]} exited with ${ended.code}; the provider says: ${server.violations.join("; ")}`);
  await watch;
  const requests = server.requests.slice(from);
  return {
    ended,
    firstRequestMs: (requests[0]?.at ?? 0) - ended.startedAt,
    exitMs: ended.endedAt - (sentAt.at(-1) ?? 0),
    roundMs: median(requests.slice(1).map((request, at) => request.at - (sentAt[at] ?? 0))),
    firstBytes: requests[0]?.bytes ?? 0,
  };
}

const ok: Answer = { text: "Done.", usage };
const read: Answer = { parts: [{ type: "call", name: "read_file", args: { path: "a.txt" } }], usage };
const tokens: Answer = { text: "word ".repeat(20_000).trimEnd(), usage, deltaLength: 5 };

interface Pair {
  readonly bare: number[];
  readonly blitz: number[];
}
const pairs = new Map<string, Pair>();
const note = (name: string, side: keyof Pair, value: number): void => {
  const pair = pairs.get(name) ?? { bare: [], blitz: [] };
  pair[side].push(value);
  pairs.set(name, pair);
};
const timed = async (name: string, side: keyof Pair, command: string, args: readonly string[]): Promise<void> => {
  const { startedAt, endedAt } = await runProgram(command, args, env);
  note(name, side, endedAt - startedAt);
};

await turn(provider, [blitz, ...exec], [ok], false); // fills the compile cache
let firstBytes = 0;
for (let round = 0; round < ROUNDS; round++) {
  await timed("version", "bare", NODE, ["-e", "0"]);
  await timed("version", "blitz", NODE, [blitz, "--version"]);
  await timed("launcher", "bare", NODE, ["-e", "0"]);
  await timed("launcher", "blitz", path.join(ROOT, "bin", "blitz"), ["--version"]);
  note("lean first request", "bare", (await turn(provider, leanTurn, [ok], false)).firstRequestMs);
  for (const [side, args] of [
    ["bare", bareTurn],
    ["blitz", [blitz, ...exec]],
  ] as const) {
    const plain = await turn(provider, args, [ok], false);
    note("first request", side, plain.firstRequestMs);
    note("exit", side, plain.exitMs);
    if (side === "blitz") {
      firstBytes = plain.firstBytes;
      note("lean first request", "blitz", plain.firstRequestMs);
    }
    note("tool round", side, (await turn(provider, args, [...Array<Answer>(20).fill(read), ok], false)).roundMs);
    note("memory", side, (await turn(provider, args, [ok], true)).ended.maxRssMb);
  }
}
for (let round = 0; round < Math.max(3, Math.floor(ROUNDS / 3)); round++) {
  note("tokens", "bare", (await turn(provider, [bareSdk, provider.url], [tokens], true)).ended.cpuMs);
  note("tokens", "blitz", (await turn(provider, [blitz, ...exec], [tokens], true)).ended.cpuMs);
}
const service = await measureService({ root: ROOT, scratch, config, env, provider }, ROUNDS);
const hosted = spawn(NODE, [path.join(ROOT, "dist", "service", "blitzd.mjs"), "--config", config], {
  env,
  stdio: ["ignore", "ignore", "pipe"],
});
await once(hosted.stderr, "data");
const attached = exec.filter((arg) => arg !== "--local");
for (let round = 0; round <= ROUNDS; round++) {
  const bare = (await turn(provider, bareTurn, [ok], false)).firstRequestMs;
  const own = (await turn(provider, [blitz, ...attached], [ok], false)).firstRequestMs;
  if (round === 0) continue; // loads the engine there
  note("attached", "bare", bare);
  note("attached", "blitz", own);
}
hosted.kill("SIGTERM");
await once(hosted, "exit");
const terminal = await measureTerminal({ root: ROOT, workspace, config, env, provider }, ROUNDS);
rmSync(scratch, { recursive: true, force: true });

const figure = (key: string, name: string, unit: string, aim: string): Figure => {
  const pair = pairs.get(key) ?? { bare: [], blitz: [] };
  return { name, unit, aim, bare: median(pair.bare), blitz: median(pair.blitz) };
};
const figures: readonly Figure[] = [
  figure("version", "--version, the bundle", "ms", "≤ 1.4×"),
  figure("launcher", "--version, bin/blitz", "ms", "≤ 1.6×"),
  figure("first request", "one-shot: start → first model request", "ms", "≤ 2×"),
  figure("lean first request", "the same, beside a program that avoids Node's web client", "ms", ""),
  figure("exit", "one-shot: answer's end → exit", "ms", "≤ 35 ms"),
  figure("tool round", "tool round (read a 1.5 KB file), median of 20", "ms", "≤ 3 ms"),
  figure("tokens", "20,000 streamed tokens, CPU, beside the bare SDK", "ms", "≤ 1.2×"),
  figure("memory", "largest process, short one-shot", "MB", "≤ 85 MB"),
  { ...figure("version", "blitzd: start → accepts connections", "ms", "≤ 2.5×"), blitz: service.listeningMs },
  { ...figure("version", "blitzd: start → first call answered", "ms", ""), blitz: service.answeredMs },
  {
    name: "blitzd: idle memory, one workspace",
    unit: "MB",
    aim: "≤ 1.6×",
    bare: service.bareMb,
    blitz: service.idleMb,
  },
  {
    name: "blitzd: 20 workspaces, beside one",
    unit: "MB",
    aim: "≤ 2.5×",
    bare: service.idleMb,
    blitz: service.twentyMb,
  },
  { name: "blitzd: a call, median of 300", unit: "ms", aim: "≤ 2 ms", bare: service.bareCallMs, blitz: service.callMs },
  {
    name: `blitzd: an event, beside one in process (${Math.round(service.eventsPerSecond)} a second)`,
    unit: "ms",
    aim: "+ ≤ 1 ms",
    bare: service.localEventMs,
    blitz: service.eventMs,
  },
  figure("attached", "attached one-shot: start → first model request", "ms", ""),
  {
    name: "session: start → prompt drawn",
    unit: "ms",
    aim: "≤ 4×",
    bare: terminal.bareStartMs,
    blitz: terminal.promptMs,
  },
  { name: "session: key → echo", unit: "ms", aim: "≤ 25 ms", bare: 0, blitz: terminal.echoMs },
  { name: "session: idle for 10 s, CPU", unit: "ms", aim: "0", bare: 0, blitz: terminal.idleCpuMs },
  { name: "session: idle memory, process tree", unit: "MB", aim: "≤ 90 MB", bare: 0, blitz: terminal.idleMb },
  {
    name: "session: 20,000 streamed tokens, CPU, beside the one-shot",
    unit: "ms",
    aim: "≤ 2×",
    bare: terminal.oneShotTokensMs,
    blitz: terminal.tokensMs,
  },
  {
    name: "session: a result of 50,000 lines, beside the one-shot",
    unit: "ms",
    aim: "no delay",
    bare: terminal.oneShotLinesMs,
    blitz: terminal.linesMs,
  },
  { name: "first request body (system text + tools)", unit: "KB", aim: "≤ 16 KB", bare: 0, blitz: firstBytes / 1024 },
];
const number = (value: number): string => (value === 0 ? "" : value.toFixed(value < 10 ? 2 : 0));
process.stdout.write(
  `\nNode ${process.version}, ${ROUNDS} rounds, medians\n\n| Figure | Bare | Blitz | Ratio | Aim |\n|---|---|---|---|---|\n`,
);
for (const { name, bare, blitz: own, unit, aim } of figures) {
  const ratio = bare > 0 ? `${(own / bare).toFixed(2)}×` : "";
  process.stdout.write(
    `| ${name} | ${bare > 0 ? `${number(bare)} ${unit}` : ""} | ${number(own)} ${unit} | ${ratio} | ${aim} |\n`,
  );
}
process.stdout.write(`\n${JSON.stringify({ node: process.version, rounds: ROUNDS, figures })}\n`);
