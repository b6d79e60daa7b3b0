// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isReason } from "@blitz/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadConfig, saveSetting } from "./index.js";

let home: string;
let dir: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "blitz-save-"));
  dir = path.join(home, ".blitz");
  file = path.join(dir, ".env.toml");
  mkdirSync(dir);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Saves into a file with this text; the file's text afterwards. */
async function saved(text: string, key: string, value: string): Promise<string> {
  writeFileSync(file, text);
  await saveSetting({ dir, home }, key, value);
  return readFileSync(file, "utf8");
}

async function refusal(key: string, value: string): Promise<{ readonly reason: string; readonly message: string }> {
  const error: unknown = await saveSetting({ dir, home }, key, value).catch((problem: unknown) => problem);
  if (!isReason(error)) throw new Error(`not refused: ${String(error)}`);
  return { reason: error.reason, message: error.message.replaceAll(`${dir}/`, "") };
}

/** The file of T-CFG-1, without a newline at its end. */
const CASE: string = `# before everything

[blitz] # the table
# note of the temperature
temperature = 0.5 # warm
permission_mode = 'plan'   # literal

not_a_setting = """
[line] = "x"
"""

# about the sandbox
[sandbox]
blocked_paths = [
  ".env", # keep
  # between
  "*.pem",
]
commands = { deny = ["sudo *"], allow = [] } # inline

[llm.anthropic]
api_key = "keychain:global/llm.anthropic.api_key"

[agent_models]
"my agent" = "openai/gpt-6" # quoted

[[mcp.servers]]
name = "one"
[mcp.servers.env]
TOKEN = "keychain:one"

[[mcp.servers]] # the second
name = 'two'
args = [ "a]", 'b' ]`;

/** Lines of one text that the other lacks, and of the other that the one lacks. */
function changes(before: string, after: string): readonly string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return [
    ...old.filter((one) => !now.includes(one)).map((one) => `- ${one}`),
    ...now.filter((one) => !old.includes(one)).map((one) => `+ ${one}`),
  ];
}

describe("saving a setting (T-CFG-1, CFG-20, 21)", () => {
  it.each([
    ["blitz.temperature", "1", ["- temperature = 0.5 # warm", "+ temperature = 1.0 # warm"]],
    [
      "blitz.permission_mode",
      "auto",
      ["- permission_mode = 'plan'   # literal", "+ permission_mode = 'auto'   # literal"],
    ],
    ["blitz.max_tokens", "100", ["+ max_tokens = 100"]],
    ["sandbox.shell", "required", ['+ shell = "required"']],
    ["sandbox.blocked_paths", '[".env", "*.pem", "*.key"]', ['+   "*.key",']],
    [
      "sandbox.commands.deny",
      '["su *"]',
      [
        '- commands = { deny = ["sudo *"], allow = [] } # inline',
        '+ commands = { deny = ["su *"], allow = [] } # inline',
      ],
    ],
    [
      "agent_models.my agent",
      "ollama/a",
      ['- "my agent" = "openai/gpt-6" # quoted', '+ "my agent" = "ollama/a" # quoted'],
    ],
    ["llm.anthropic.model", "a", ['+ model = "a"']],
    ["llm.provider", "ollama", ["+ [llm]", '+ provider = "ollama"']],
    ["llm.gemini.model", "g", ["+ [llm.gemini]", '+ model = "g"']],
    ["llm.fallback_models", '["a", "b"]', ["+ [llm]", '+ fallback_models = ["a", "b"]']],
    ["model_settings.gpt-4.1.todo", "false", ['+ [model_settings."gpt-4.1"]', "+ todo = false"]],
    ["pricing.'a b'.input_per_mtok", "2", ['+ [pricing."a b"]', "+ input_per_mtok = 2.0"]],
  ])("%s changes its own lines only, with LF, CRLF and a byte-order mark", async (key, value, lines) => {
    expect(changes(CASE, await saved(CASE, key, value))).toEqual(lines);
    const crlf = CASE.replaceAll("\n", "\r\n");
    expect((await saved(`\ufeff${crlf}`, key, value)).replaceAll("\r\n", "\n")).toBe(
      `\ufeff${await saved(CASE, key, value)}`,
    );
    expect(await saved(crlf, key, value)).not.toMatch(/[^\r]\n/);
    const ended = await saved(`${CASE}\n`, key, value);
    expect(ended).toBe(`${await saved(CASE, key, value)}\n`);
  });

  it.each([
    ["blitz.temperature", "0.50"],
    ["blitz.permission_mode", "plan"],
    ["sandbox.blocked_paths", "['.env', '*.pem']"],
    ["agent_models.'my agent'", "openai/gpt-6"],
  ])("changes no byte when %s is %s already", async (key, value) => {
    writeFileSync(file, CASE);
    expect(await saveSetting({ dir, home }, key, value)).toEqual({ file, isChanged: false });
    expect(readFileSync(file, "utf8")).toBe(CASE);
  });

  it.each([
    ["an empty file", "", '[ui]\nlocale = "es"\n'],
    ["comments alone", "# mine\n", '# mine\n\n[ui]\nlocale = "es"\n'],
    ["an empty table", "[ui]\n[log]\n", '[ui]\nlocale = "es"\n[log]\n'],
    ["dotted keys", 'ui.theme = "dark"\n', 'ui.theme = "dark"\nui.locale = "es"\n'],
    ["another spelling of the key", `[ui]\n"locale" = 'fr' # mine\n`, `[ui]\n"locale" = 'es' # mine\n`],
    [
      "the place above the next table's comment",
      "[ui]\na = 1\n\n# log\n[log]\n",
      '[ui]\na = 1\nlocale = "es"\n\n# log\n[log]\n',
    ],
    ["the place below its own comment", "[ui]\na = 1\n# b\n\n[log]\n", '[ui]\na = 1\n# b\nlocale = "es"\n\n[log]\n'],
  ])("fits into %s", async (_name, before, after) => {
    expect(await saved(before, "ui.locale", "es")).toBe(after);
  });

  it("makes the file when there is none", async () => {
    rmSync(dir, { recursive: true });
    expect(await saveSetting({ dir, home }, "ui.markdown", "false")).toEqual({ file, isChanged: true });
    expect((await loadConfig({ dir, home, env: {} })).config.ui.markdown).toBe(false);
  });

  it("mends a value the file doesn't load with", async () => {
    expect(await saved('[blitz]\npermission_mode = "bypas"\n', "blitz.permission_mode", "auto")).toBe(
      '[blitz]\npermission_mode = "auto"\n',
    );
  });

  it("reaches no prototype with names such as __proto__ and constructor", async () => {
    const text = await saved("", "model_settings.__proto__.todo", "true");
    expect(text).toBe("[model_settings.__proto__]\ntodo = true\n");
    await saved(text, "model_settings.constructor.todo", "true");
    await saved(text, "agent_models.__proto__", "a");
    expect([Object.hasOwn(Object.prototype, "todo"), Object.hasOwn(Object, "todo")]).toEqual([false, false]);
  });
});

describe("a setting that can't be saved (CFG-14, T-CFG-1)", () => {
  it.each([
    ["ui.local", "es", "UNKNOWN_SETTING", "unknown setting ui.local (did you mean ui.locale?)"],
    ["quite.unlike", "1", "UNKNOWN_SETTING", "unknown setting quite.unlike"],
    ["pricing.m.input", "1", "UNKNOWN_SETTING", "pricing knows input_per_mtok"],
    ["pricing", "1", "INVALID_SETTING", "name a value in it: pricing.<name>.<input_per_mtok | "],
    ["agent_models", "1", "INVALID_SETTING", "name a value in it: agent_models.<name>"],
    ["blitz.permission_mode", "bypas", "INVALID_SETTING", '"bypas" is none of default, accept-edits'],
    ["ui.markdown", "yes", "INVALID_SETTING", 'expected true or false, got "yes"'],
    ["blitz.temperature", "3", "INVALID_SETTING", "expected at most 2, got 3"],
    ["blitz.max_tokens", "0x10", "INVALID_SETTING", 'expected a number, got "0x10"'],
    ["blitz.max_tokens", "", "INVALID_SETTING", 'expected a number, got ""'],
    ["service.request_expiry", "soon", "INVALID_SETTING", "expected a time"],
    ["sandbox.allowed_paths", "~/notes", "INVALID_SETTING", 'write it as ["one", "two"]'],
    ["sandbox.allowed_paths", '["a"]\nother = 1', "INVALID_SETTING", "expected a list"],
  ])("%s = %j: %s", async (key, value, reason, message) => {
    writeFileSync(file, CASE);
    expect(await refusal(key, value)).toEqual({ reason, message: expect.stringContaining(message) });
    expect(readFileSync(file, "utf8")).toBe(CASE);
  });

  it.each([
    ["cut in the middle of a string", '[blitz]\ndefault_agent = "bli', ".env.toml:2:"],
    ["with a bad value elsewhere", '[blitz]\npermission_mode = "bypas"\n', ".env.toml:2:1: blitz.permission_mode"],
  ])("leaves a file %s alone, and says where", async (_name, text, message) => {
    writeFileSync(file, text);
    expect(await refusal("ui.locale", "es")).toEqual({
      reason: "CONFIG_INVALID",
      message: expect.stringContaining(message),
    });
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("leaves a file alone that isn't UTF-8", async () => {
    const bytes = Buffer.from("[ui]\n# caf\xe9\n", "latin1");
    writeFileSync(file, bytes);
    expect((await refusal("ui.locale", "es")).reason).toBe("CONFIG_INVALID");
    expect(readFileSync(file)).toEqual(bytes);
  });

  it("writes no value into what is no table", async () => {
    writeFileSync(file, "ui = 5\n");
    expect(await refusal("ui.locale", "es")).toEqual({
      reason: "INVALID_SETTING",
      message: "ui.locale: ui is no table in the settings file",
    });
    expect(readFileSync(file, "utf8")).toBe("ui = 5\n");
  });
});

describe("saves at the same time (CFG-20)", () => {
  const KEYS: readonly string[] = [
    "ui.locale",
    "blitz.default_agent",
    "blitz.default_model",
    "llm.ollama.model",
    "llm.openai.model",
  ];

  it("all survive, and nothing is left beside the file", async () => {
    writeFileSync(file, CASE);
    await Promise.all(KEYS.map(async (key) => await saveSetting({ dir, home }, key, "here")));
    const { sourceOf } = await loadConfig({ dir, home, env: {} });
    expect(KEYS.map(sourceOf)).toEqual(KEYS.map(() => "global"));
    expect(readdirSync(dir).toSorted()).toEqual([".env.toml", "locks"]);
  });
});
