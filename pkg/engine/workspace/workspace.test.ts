// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ApprovalRequest, type Backend, type Decision, isReason, type JsonObject } from "@blitz/api";
import { loadConfig } from "@blitz/config";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Part } from "../history/index.js";
import { createScriptedModel, type ScriptedAnswer, type ScriptedModel } from "../models/testing/index.js";
import { type OpenOptions, openWorkspace } from "./index.js";

let base: string;
let opened: Backend[];
const warnings: string[] = [];
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "blitz-workspace-")));
  for (const name of ["home", "ws", "ws2"]) mkdirSync(path.join(base, name));
  opened = [];
  warnings.length = 0;
});
afterEach(async () => {
  await Promise.all(opened.map((backend) => backend.close()));
  rmSync(base, { recursive: true, force: true });
});

const call = (id: string, name: string, args: JsonObject = {}): Part => ({ type: "toolCall", id, name, args });

async function open(
  answers: readonly ScriptedAnswer[] = [],
  more: Partial<OpenOptions> & { toml?: string; name?: string } = {},
) {
  const home = path.join(base, "home");
  mkdirSync(path.join(home, ".blitz"), { recursive: true });
  writeFileSync(path.join(home, ".blitz", ".env.toml"), more.toml ?? "");
  const { config } = await loadConfig({ dir: path.join(home, ".blitz"), home, env: {} });
  const model: ScriptedModel = createScriptedModel(answers);
  const env = { PATH: process.env["PATH"] };
  const backend = await openWorkspace({
    dir: path.join(base, more.name ?? "ws"),
    home,
    config,
    env,
    model,
    warn: (text) => warnings.push(text),
    ...more,
  });
  opened.push(backend);
  const asked: ApprovalRequest[] = [];
  const answerWith = (decide: (request: ApprovalRequest) => Decision): void =>
    backend.setUi({
      approve: async (request) => {
        asked.push(request);
        return decide(request);
      },
      ask: () => Promise.reject(new Error("nobody")),
    });
  const run = async (text: string) => {
    const { session } = await backend.openSession("", true).catch(() => backend.openSession("", false));
    return await backend.run(session.id, { text }, { onEvent: () => undefined });
  };
  return { backend, model, asked, answerWith, run };
}

const reasonOf = async (work: Promise<unknown>): Promise<string | undefined> => {
  const error: unknown = await work.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  return isReason(error) ? error.reason : error === undefined ? undefined : String(error);
};
const write = (id: string, name: string): ScriptedAnswer => ({
  parts: [call(id, "create_file", { path: name, content: "x" })],
});
const lastResult = (model: ScriptedModel): string => JSON.stringify(model.requests.at(-1)?.messages.at(-1)?.parts);

describe("openWorkspace", () => {
  it.each([
    ["a folder that isn't there", { name: "gone" }, "INVALID_WORKSPACE"],
    ["a bad rule", { allow: ["nonsense("] }, "BAD_RULE"],
    ["an unknown mode", { permissionMode: "bypas" }, "UNKNOWN_MODE"],
    ["an unknown agent", { toml: '[blitz]\ndefault_agent = "nobody"' }, "UNKNOWN_AGENT"],
  ])("refuses %s and leaves no lock (WS-03)", async (_name, more, reason) => {
    expect(await reasonOf(open([], more))).toBe(reason);
    await open();
  });

  it("is one workspace by any of its names, in this process too (WS-03, T-SES-3)", async () => {
    symlinkSync("ws", path.join(base, "link"));
    await open();
    expect(await reasonOf(open([], { name: "link" }))).toBe("WORKSPACE_BUSY");
  });

  it("opens two workspaces apart from each other", async () => {
    const [one, two] = [await open(["one"]), await open(["two"], { name: "ws2" })];
    expect([(await one.run("go")).output, (await two.run("go")).output]).toEqual(["one", "two"]);
    expect((await one.backend.listSessions(false)).length + (await two.backend.listSessions(false)).length).toBe(2);
  });

  it("closes once, however often it is asked, and frees the lock (WS-09)", async () => {
    const { backend } = await open();
    await Promise.all([backend.close(), backend.close()]);
    await open();
  });

  it("ends a running turn when it closes", async () => {
    const started = Promise.withResolvers<void>();
    const { backend } = await open([{ parts: [], delay: new Promise(() => started.resolve()) }]);
    const { session } = await backend.openSession("", false);
    const turn = reasonOf(backend.run(session.id, { text: "go" }, { onEvent: () => undefined }));
    await started.promise;
    await backend.close();
    expect(await turn).toBe("SHUTTING_DOWN");
  });

  it("opens with a model that can't be built, and says so in the turn (WS-05)", async () => {
    const { config } = await loadConfig({ dir: base, home: base, env: { LLM_PROVIDER: "anthropic" } });
    const backend = await openWorkspace({
      dir: path.join(base, "ws"),
      home: path.join(base, "home"),
      config,
      env: {},
      warn: () => undefined,
    });
    opened.push(backend);
    expect((await backend.modelError())?.reason).toBe("MODEL_UNAVAILABLE");
    const { session } = await backend.openSession("", false);
    expect(await reasonOf(backend.run(session.id, { text: "go" }, { onEvent: () => undefined }))).toBe(
      "MODEL_UNAVAILABLE",
    );
    expect((await backend.activeSession())?.messages).toEqual([]);
    expect(await reasonOf(backend.setModel("a=b"))).toBe("BAD_MODEL_REF");
    await backend.setModel("demo/tour");
    expect(await backend.model()).toEqual({ name: "tour", provider: "demo" });
  });
});

describe("/init", () => {
  it("writes the instruction file after asking; it holds from the next prompt on (MEM-22)", async () => {
    const { backend, run, model, asked, answerWith } = await open([
      { parts: [call("a", "create_file", { path: "BLITZ.md", content: "Run make.\n" })] },
      "Written.",
      "Yes.",
    ]);
    answerWith(() => "once");
    await run("/init");
    expect(asked.map((request) => request.targets)).toEqual([["BLITZ.md"]]);
    expect(await backend.memoryFiles()).toEqual(["BLITZ.md"]);
    await run("go on");
    expect(model.requests.map(({ system }) => system.includes("Run make."))).toEqual([false, false, true]);
  });
});

describe("approvals in a turn", () => {
  it.each([
    ["once", 2, 2],
    ["session", 1, 2],
    ["always", 1, 2],
    ["deny", 2, 0],
  ] as const)("%s: asked %i times for two edits, %i written (APR-03, APR-20)", async (decision, times, written) => {
    const { run, asked, answerWith } = await open([write("a", "a.txt"), write("b", "b.txt"), "done"]);
    answerWith(() => decision);
    await run("go");
    expect(asked).toHaveLength(times);
    expect(readdirSync(path.join(base, "ws"))).toHaveLength(written);
  });

  it("remembers always across processes, and session not (APR-20)", async () => {
    const first = await open([write("a", "a.txt"), "done"]);
    first.answerWith(() => "always");
    await first.run("go");
    await first.backend.close();
    const second = await open([write("b", "b.txt"), "done"]);
    await second.run("go");
    expect(existsSync(path.join(base, "ws", "b.txt"))).toBe(true);
  });

  it("refuses without anybody to ask, naming the way out, and changes nothing (APR-10)", async () => {
    const { run, model } = await open([write("a", "a.txt"), "done"]);
    await run("go");
    expect(lastResult(model)).toContain("nobody can be asked");
    expect(readdirSync(path.join(base, "ws"))).toEqual([]);
  });

  it("asks for a control file in accept-edits too (FS-102)", async () => {
    const { run, asked, answerWith } = await open([write("a", "ok.txt"), write("b", ".envrc"), "done"], {
      permissionMode: "accept-edits",
    });
    answerWith(() => "deny");
    await run("go");
    expect(asked.map((request) => request.targets)).toEqual([[".envrc"]]);
  });

  it("changes the mode while it is open; bypass only with a sandbox (PAR-PERM-05)", async () => {
    const { backend } = await open([], { toml: '[sandbox]\nshell = "off"' });
    expect(await backend.setPermissionMode("acceptEdits")).toBe("accept-edits");
    expect(await reasonOf(backend.setPermissionMode("bypass"))).toBe("BYPASS_NEEDS_SANDBOX");
    expect(await reasonOf(backend.setPermissionMode("nope"))).toBe("UNKNOWN_MODE");
    expect((await backend.settings()).permissionMode).toBe("accept-edits");
    expect(await reasonOf(backend.addPermissionRule("allow", "x("))).toBe("BAD_RULE");
    expect(await backend.addPermissionRule("deny", "bash(rm)")).toEqual({
      effect: "deny",
      rule: "shell(rm)",
      source: "session",
    });
  });

  it("takes agency and effort from the next turn on, over a model's own effort (WS-43, MDL-74, ENG-06)", async () => {
    const toml = '[model_settings."scripted"]\nreasoning_effort = "low"';
    const { backend, run, model } = await open(["one", "two", "three"], { toml });
    await run("first");
    expect([await backend.set("effort", "high"), await backend.set("agency_level", "low")]).toEqual([
      "effort",
      "agency",
    ]);
    await run("second");
    await backend.set("effort", "auto");
    await run("third");
    expect(model.requests.map(({ settings }) => settings.effort)).toEqual(["low", "high", "low"]);
    const [first, second, third] = model.requests.map(({ system }) => system);
    expect(first).not.toBe(second);
    expect(second).toBe(third);
  });

  it("blocks what a read deny rule names, also from commands (APR-57)", async () => {
    mkdirSync(path.join(base, "ws", "secrets"));
    writeFileSync(path.join(base, "ws", "secrets", "k.txt"), "CANARY");
    const script = [
      {
        parts: [
          call("a", "read_file", { path: "secrets/k.txt" }),
          call("b", "run_shell_command", { command: "cat secrets/k.txt" }),
        ],
      },
      "done",
    ];
    const { run, model } = await open(script, { deny: ["read(secrets/**)"], allow: ["shell(cat)"] });
    await run("go");
    expect(lastResult(model)).toContain("BLOCKED_PATH");
    expect(lastResult(model)).not.toContain("CANARY");
  });
});

describe("what a turn leaves", () => {
  it("is undone by prompt, across reopening (FS-63, FS-67)", async () => {
    const file = path.join(base, "ws", "a.txt");
    writeFileSync(file, "before");
    const edit = {
      parts: [call("a", "replace_in_file", { path: "a.txt", target_content: "before", replacement_content: "after" })],
    };
    const first = await open([edit, "done"], { permissionMode: "accept-edits" });
    await first.run("change it");
    expect(await first.backend.sessionDiff()).toContain("+after");
    await first.backend.close();
    const { backend } = await open();
    expect((await backend.listCheckpoints()).map((point) => [point.label, point.files])).toEqual([
      ["change it", ["a.txt"]],
    ]);
    expect(await backend.undo(false)).toMatchObject({ label: "change it", restored: ["a.txt"] });
    expect(readFileSync(file, "utf8")).toBe("before");
    expect(await reasonOf(backend.undo(false))).toBe("NOTHING_TO_UNDO");
  });

  it("is in the audit log, in order, without secrets (AUD-03, RED-03)", async () => {
    const { run, backend } = await open([{ parts: [call("a", "read_file", { path: "x" })] }, "done"], {
      env: { PATH: process.env["PATH"], MY_API_KEY: "canary-12345678" },
    });
    await run("use canary-12345678");
    await backend.close();
    const dir = path.join(base, "home", ".blitz", "audit");
    const text = readdirSync(dir)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => readFileSync(path.join(dir, name), "utf8"))
      .join("");
    const kinds = text
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds.filter((kind) => kind !== "audit_day")).toEqual([
      "audit_start",
      "session_start",
      "prompt",
      "tool_call",
      "tool_result",
    ]);
    expect(text).not.toContain("canary-12345678");
  });

  it("offers tools sorted and the same in every request (MDL-32)", async () => {
    const { run, model } = await open(["one", "two"]);
    await run("a");
    await run("b");
    const [first, second] = model.requests;
    expect(first?.tools).toEqual(second?.tools);
    expect(first?.system).toBe(second?.system);
    expect(first?.tools.map((tool) => tool.name)).toEqual([...(first?.tools ?? [])].map((tool) => tool.name).sort());
    expect(JSON.stringify([first?.tools, first?.system]).length).toBeLessThan(16 * 1024);
  });
});
