// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Finished, startBlitz } from "./run-blitz.js";
import { call, openScene, type Scene, shell, until } from "./scene.js";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(async () => {
  await scene[Symbol.asyncDispose]();
});

const BIG: string = "0123456789abcdef".repeat(190_000); // 3 MB
const FORMATS = ["json", "stream-json", "text"] as const;
type Format = (typeof FORMATS)[number];

/** A pipe of the system, as a shell makes one; what a child gets through `spawn` is a socket. */
interface Pipe extends Disposable {
  readonly reading: number;
  readonly writing: number;
}

function openPipe(): Pipe {
  const file = path.join(scene.scratch.base, "pipe");
  execFileSync("mkfifo", [file]);
  const both = openSync(file, constants.O_RDWR); // so that neither end waits for the other
  const [reading, writing] = [openSync(file, constants.O_RDONLY), openSync(file, constants.O_WRONLY)];
  closeSync(both);
  return {
    reading,
    writing,
    [Symbol.dispose]: () => {
      closeSync(reading);
      closeSync(writing);
      execFileSync("rm", [file]);
    },
  };
}

/** A run whose standard output went somewhere else. */
interface Sent extends Finished {
  readonly output: string;
  /** From when the reader was gone to when the program was, in milliseconds. */
  readonly lateMs: number;
}

type Begun = ReturnType<typeof startBlitz>;

/** Runs blitz into a reader, a command of the shell. */
async function into(reader: string, args: readonly string[], onBegun?: (run: Begun) => Promise<void>): Promise<Sent> {
  let [run, reading]: [Begun | undefined, ReturnType<typeof spawn> | undefined] = [undefined, undefined];
  {
    using pipe = openPipe();
    run = startBlitz(scene.scratch, args, { stdout: pipe.writing });
    reading = spawn("bash", ["-c", reader], { stdio: [pipe.reading, "pipe", "inherit"] });
  }
  const chunks: Buffer[] = [];
  reading.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const read = once(reading, "close").then(() => performance.now());
  const ended = run.done.then((finished) => ({ ...finished, at: performance.now() }));
  await onBegun?.(run);
  const [readAt, { at, ...finished }] = await Promise.all([read, ended]);
  return { ...finished, output: Buffer.concat(chunks).toString("utf8"), lateMs: at - readAt };
}

async function intoFile(
  args: readonly string[],
  onBegun?: (run: Begun) => Promise<void>,
): Promise<Finished & { readonly output: string }> {
  const file = path.join(scene.scratch.base, "output");
  const fd = openSync(file, "w");
  const run = startBlitz(scene.scratch, args, { stdout: fd });
  closeSync(fd);
  await onBegun?.(run);
  return { ...(await run.done), output: readFileSync(file, "utf8") };
}

/** What differs from run to run made the same: names, times, and how the model's text was cut into pieces. */
const alike = (output: string): string =>
  output
    .replace(/session-\d{8}-\d{6}-[0-9a-f]{8}/g, "session")
    .replace(/"duration_ms":\d+/g, '"duration_ms":0')
    .replace(/"id":"[^"]*"/g, '"id":""')
    .replace(/"(model_calls|input_tokens|cached_input_tokens|output_tokens)":\d+/g, '"$1":0')
    .replace(/","partial":true,"repeat":false,"author":"blitz"\}\n\{"type":"text","text":"/g, "");

const exec = (format: Format, ...more: readonly string[]): readonly string[] => {
  const { cfg, ws } = scene.scratch;
  return ["exec", "--local", "-c", cfg, "-d", ws, "--output-format", format, ...more, "go"];
};

/** Every line is JSON, and the last one is the result. */
function expectWhole(output: string, format: Format, code: number): void {
  expect(output.endsWith("\n")).toBe(true);
  if (format === "text") return expect(output).toContain(BIG);
  const lines = output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(lines.at(-1)).toMatchObject({ type: "result", exit_code: code });
  expect(output).toContain(BIG.slice(0, 40_000));
  expect(output.length).toBeGreaterThan(BIG.length);
}

/** Says it and writes it, so that each format has it: JSON keeps what comes after the last call only. */
const saidAndWritten = [{ type: "text" as const, text: BIG }, call("create_file", { path: "big.txt", content: BIG })];

/** How a run ends with each exit code after 3 MB. */
const ENDS = {
  0: { flags: [], answer: { text: BIG, deltaLength: 50_000 } },
  1: { flags: [], answer: { text: BIG, deltaLength: 50_000, edit: <T>(frames: readonly T[]) => frames.slice(0, -2) } },
  3: { flags: ["--max-turns", "1"], answer: { parts: saidAndWritten, deltaLength: 50_000 } },
  130: {
    flags: ["--permission-mode", "accept-edits", "--allow", "shell(touch)", "--allow", "shell(sleep)"],
    answer: { parts: [...saidAndWritten, shell("touch started; sleep 60", 60)], deltaLength: 50_000 },
    /** Interrupts it in its last call. */
    onBegun: async ({ child }: Begun): Promise<void> => {
      const started = path.join(scene.scratch.ws, "started");
      await until(() => statSync(started, { throwIfNoEntry: false }) !== undefined);
      child.kill("SIGINT");
      execFileSync("rm", ["-f", started, path.join(scene.scratch.ws, "big.txt")]);
    },
  },
} as const;
const CODES = [0, 1, 3, 130] as const;

describe("T-OUT-1: piped output arrives whole", { timeout: 60_000 }, () => {
  it.each(FORMATS.flatMap((format) => CODES.map((code) => [format, code] as const)))(
    "3 MB as %s with exit code %d, for a reader that comes late, are what a file gets (CLI-21…23, 83)",
    async (format, code) => {
      const { flags, answer, ...more } = ENDS[code];
      const onBegun = "onBegun" in more ? more.onBegun : undefined;
      scene.fake.script(answer, answer);
      const filed = await intoFile(exec(format, ...flags), onBegun);
      const piped = await into("sleep 1; cat", exec(format, ...flags), onBegun);
      expect([filed.code, piped.code]).toEqual([code, code]);
      expectWhole(piped.output, format, code);
      expect(alike(piped.output) === alike(filed.output)).toBe(true);
    },
  );

  it.each(FORMATS)("a reader that leaves ends the run quietly, here %s (CLI-83)", async (format) => {
    const never = new Promise(() => undefined);
    // Only JSON says nothing before the answer is whole.
    const hold = format === "json" ? {} : { split: (bytes: Uint8Array) => [bytes.subarray(0, -2_000), never] };
    scene.fake.script({ text: BIG, deltaLength: 50_000, ...hold });
    const run = await into("head -c 10", exec(format));
    expect([run.code, run.output.length, run.stderr]).toEqual([0, 10, ""]);
    if (format !== "json") expect(run.lateMs).toBeLessThan(2_000);
  });
});

describe("T-OUT-1: other commands", { timeout: 60_000 }, () => {
  const show = (): readonly string[] => ["config", "show", "-c", scene.scratch.cfg, "-d", scene.scratch.ws];
  beforeEach(() => {
    const paths = Array.from({ length: 30_000 }, (_, n) => `"/nowhere/${String(n).padStart(90, "0")}"`);
    scene.scratch.configure("anthropic", scene.fake.url, `[sandbox]\nblocked_paths = [${paths.join(",")}]\n`);
  });

  it("3 MB of settings arrive whole (CLI-61, 83)", async () => {
    const filed = await intoFile(show());
    const piped = await into("sleep 1; cat", show());
    expect([filed.code, piped.code, piped.output.length > 3_000_000]).toEqual([0, 0, true]);
    expect(piped.output === filed.output).toBe(true);
  });

  it("a reader of them that leaves ends the command quietly", async () => {
    const run = await into("head -c 10", show());
    expect([run.code, run.output.length, run.stderr]).toEqual([0, 10, ""]);
    expect(run.lateMs).toBeLessThan(2_000);
  });
});
