// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadConfig } from "@blitz/config";
import { type FakeProvider, startFakeProvider } from "@blitz/fakeprovider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScriptedModel } from "../models/testing/index.js";
import { type InspectedModel, type Inspection, inspectWorkspace, openWorkspace } from "./index.js";

let base: string;
let home: string;
let fake: FakeProvider;
beforeEach(async () => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "blitz-inspect-")));
  home = path.join(base, "home");
  for (const name of ["home", "cfg", "ws"]) mkdirSync(path.join(base, name));
  fake = await startFakeProvider();
});
afterEach(async () => {
  await fake.close();
  rmSync(base, { recursive: true, force: true });
});

const never = new AbortController().signal;

async function settings(toml: string) {
  const anthropic = `[llm.anthropic]\napi_key = "k-0000"\nmodel = "first"\nfallbacks = "off"\nbase_url = "${fake.url}"\n`;
  const text = `[llm]\nprovider = "anthropic"\nmax_retries = 0\n${toml}${anthropic}`;
  writeFileSync(path.join(base, "cfg", ".env.toml"), text);
  const { config } = await loadConfig({ dir: path.join(base, "cfg"), home, env: {} });
  return { dir: path.join(base, "ws"), home, config, env: { PATH: process.env["PATH"] } };
}

async function inspect(toml: string = ""): Promise<Inspection> {
  return inspectWorkspace(await settings(toml));
}

async function mainModel(): Promise<InspectedModel> {
  const [model] = await (await inspect()).models();
  if (model === undefined) throw new Error("there is always a main model");
  return model;
}

describe("inspectWorkspace", () => {
  it("names who has a workspace open, while it is, and takes no lock itself (CLI-51, WS-03)", async () => {
    const options = await settings("");
    const inspection = inspectWorkspace(options);
    expect(await inspection.holder()).toBeUndefined();
    expect(existsSync(path.join(home, ".blitz"))).toBe(false);
    const opened = await openWorkspace({ ...options, model: createScriptedModel([]), warn: () => undefined });
    expect(await inspection.holder()).toMatchObject({ pid: process.pid, workspace: options.dir });
    await opened.close();
    expect(await inspection.holder()).toBeUndefined();
  });

  it("gives a bare fallback the main model's provider, a pin the default one (MDL-01, 02)", async () => {
    const more =
      'fallback_models = ["b", "openai/c"]\n[blitz]\ndefault_model = "ollama/a"\n[agent_models]\nblitz = "d"\n';
    const models = await (await inspect(more)).models();
    expect(models.map(({ role, name, problem }) => [role, name, problem === undefined])).toEqual([
      ["model", "ollama/a", true],
      ["fallback 1", "ollama/b", true],
      ["fallback 2", "openai/c", false],
      ["pin blitz", "anthropic/d", true],
    ]);
  });
});

describe("InspectedModel.ask", () => {
  it("returns nothing wrong when the model answers, whatever it says (CLI-52)", async () => {
    fake.script({ text: "No." });
    expect(await (await mainModel()).ask(30_000, never)).toBeUndefined();
    expect(fake.violations).toEqual([]);
  });

  it("returns why a key is refused, without the key (CLI-52)", async () => {
    fake.script({ status: 401, body: { type: "error", error: { type: "authentication_error", message: "k-0000" } } });
    const problem = await (await mainModel()).ask(30_000, never);
    expect(problem).toContain("llm.anthropic.api_key");
    expect(problem).not.toContain("k-0000");
  });

  it("gives up on an answer that is held when the time is over (CLI-52)", async () => {
    fake.script({ hold: new Promise(() => undefined) });
    expect(await (await mainModel()).ask(100, never)).toBe("no answer in 0.1 s");
    expect(await fake.requests[0]?.closed).toBe("aborted");
  });

  it("rejects with the caller's reason when that aborts", async () => {
    const caller = new AbortController();
    fake.script(() => {
      caller.abort(new Error("interrupted"));
      return { hold: new Promise(() => undefined) };
    });
    await expect((await mainModel()).ask(30_000, caller.signal)).rejects.toThrow("interrupted");
  });
});
