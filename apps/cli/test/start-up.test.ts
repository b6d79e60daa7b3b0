// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type FakeProvider, startFakeProvider } from "@blitz/fakeprovider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratch, PROGRAM, type Scratch, startBlitz } from "./run-blitz.js";

let scratch: Scratch;
let fake: FakeProvider;
beforeEach(async () => {
  scratch = createScratch();
  fake = await startFakeProvider();
  scratch.configure("anthropic", fake.url);
});
afterEach(async () => {
  await fake.close();
  scratch[Symbol.dispose]();
});

/** Notes every module that is loaded, and Node's own, at the end of the run. */
const WATCH: string = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  import { writeFileSync } from "node:fs";
  const loaded = [];
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
  process.on("exit", () => writeFileSync(process.env.LOADED_FILE, JSON.stringify({ loaded, own: process.moduleLoadList })));
`)}`;

interface Loaded {
  /** Base names of the program's own files, and packages. */
  readonly files: readonly string[];
  readonly own: readonly string[];
}

async function loadedBy(args: readonly string[]): Promise<Loaded> {
  const report = path.join(scratch.base, "loaded.json");
  const env = { LOADED_FILE: report, NODE_OPTIONS: `--import=${WATCH}` };
  await startBlitz(scratch, args, { env }).done;
  const { loaded, own } = JSON.parse(readFileSync(report, "utf8")) as { loaded: string[]; own: string[] };
  return { files: loaded.filter((url) => url.startsWith("file:")).map((url) => path.basename(url)), own };
}

const isBundle: boolean = path.basename(PROGRAM) === "blitz.mjs";
const mentions = (files: readonly string[], word: RegExp): string[] => files.filter((name) => word.test(name));

describe("start-up loads nothing it doesn't use (00 decision 20)", () => {
  it("--version loads the entry file alone", async () => {
    expect((await loadedBy(["--version"])).files).toEqual([path.basename(PROGRAM)]);
  });

  it("a usage error and --help load no settings, engine or SDK", async () => {
    for (const args of [["--nonsense"], ["--help"]]) {
      const { files, own } = await loadedBy(args);
      expect(mentions(files, /^(one-shot|engine|open-workspace|sdk|load)/)).toEqual([]);
      expect(mentions(own, /undici|sqlite|child_process|^NativeModule http/)).toEqual([]);
    }
  });

  it("a run until its answer loads the SDK in use only, no sandbox, and starts no process", async () => {
    fake.script({ text: "Done." });
    const { files, own } = await loadedBy([
      "exec",
      "-c",
      scratch.cfg,
      "-d",
      scratch.ws,
      "--output-format",
      "json",
      "go",
    ]);
    expect(fake.requests).toHaveLength(1);
    expect(mentions(own, /^NativeModule child_process/)).toEqual([]);
    if (isBundle) {
      expect(mentions(files, /^sdk-/)).toHaveLength(1);
      expect(mentions(files, /^(exec|policy|openai|gemini|demo|answer-schema|run-stream)-/)).toEqual([]);
      expect(mentions(own, /undici/)).toEqual([]);
    }
  });

  it("one request reaches the model before the first answer, of at most 16 KB", async () => {
    fake.script({ text: "Done." });
    await startBlitz(scratch, ["exec", "-c", scratch.cfg, "-d", scratch.ws, "go"]).done;
    expect(fake.requests.map((request) => request.bytes <= 16 * 1024)).toEqual([true]);
  });
});

describe("without a place to write", () => {
  it("a full disk is told and exits 1, no stack (17 Bad input)", () => {
    const run = spawnSync(process.execPath, [PROGRAM, "sessions", "-c", scratch.cfg, "-d", scratch.ws], {
      env: { HOME: "/dev/null/home", PATH: process.env["PATH"] ?? "" },
      encoding: "utf8",
    });
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/^blitz: /);
    expect(run.stderr).not.toContain("    at ");
  });
});
