// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call, openScene, PROVIDERS, type Scene, shell, startExec, treeOf, until } from "./scene.js";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(async () => {
  const { violations } = scene.fake;
  await scene[Symbol.asyncDispose]();
  expect(violations).toEqual([]);
});

const use = (provider: (typeof PROVIDERS)[number]): void => scene.scratch.configure(provider, scene.fake.url);
const exists = (name: string): boolean => existsSync(path.join(scene.scratch.ws, name));
const ACT = ["--permission-mode", "bypass"] as const;

describe("T-STR-3: empty and cut arguments", () => {
  const BIG = "line\n".repeat(2_000);
  const cutCall = (name: string, argsText: string) => ({ type: "call" as const, name, args: {}, argsText });
  const CUT_FILE = '{"path":"big.txt","content":"line 1\nli'.replace("\n", "\\n");
  const CUT_COMMAND = '{"command":"rm -rf build';

  /** Calls whose text is cut, on the wires that send arguments as text, however the answer says it ended. */
  const CUTS = (["anthropic", "openai", "ollama"] as const).flatMap((provider) =>
    (["max_tokens", "end", "tool_use"] as const).map((stop) => [provider, stop] as const),
  );
  it.each(CUTS)(
    "%s: cut calls ended by %s never run and the next prompt works (MDL-31, ENG-111)",
    async (provider, stop) => {
      use(provider);
      scene.put("big.txt", BIG);
      scene.put("build/kept", "x");
      scene.fake.script(
        { parts: [cutCall("create_file", CUT_FILE)], stop },
        { parts: [cutCall("run_shell_command", CUT_COMMAND)], stop },
        {
          parts: [
            cutCall("create_file", '{"path":"big.txt","content":["a","b"'),
            cutCall("delete_file", '{"path":"big.txt"'),
          ],
          stop,
        },
        { text: "I see." },
      );
      const { report } = await scene.run(...ACT, "go");
      expect(report).toMatchObject({ exit_code: 0, result: "I see." });
      for (const { result } of report.tool_calls ?? []) expect(result["error"]).toMatch(/was not run/);
      expect(report.tool_calls).toHaveLength(4);
      expect([scene.get("big.txt"), exists("build/kept")]).toEqual([BIG, true]);
      scene.fake.script({ text: "On." });
      expect((await scene.run("--continue", "next")).report).toMatchObject({ exit_code: 0, result: "On." });
    },
  );

  it.each(PROVIDERS)(
    "%s: a whole call in an answer cut at its limit isn't taken for the whole answer (MDL-31)",
    async (provider) => {
      use(provider);
      scene.put("big.txt", BIG);
      scene.fake.script(
        {
          parts: [call("create_file", { path: "big.txt", content: "line 1\nli", overwrite: true })],
          stop: "max_tokens",
        },
        {
          parts: [{ type: "text", text: "So" }, call("run_shell_command", { command: "rm -rf big.txt" })],
          stop: "max_tokens",
        },
        { text: "I see." },
      );
      const { report } = await scene.run(...ACT, "go");
      expect(report).toMatchObject({ exit_code: 0, result: "I see." });
      for (const { result } of report.tool_calls ?? []) expect(result["error"]).toMatch(/cut/);
      expect(report.tool_calls).toHaveLength(2);
      expect(scene.get("big.txt")).toBe(BIG);
    },
  );

  it.each(PROVIDERS)(
    "%s: a stream that ends within a call runs nothing, and the session goes on (MDL-33)",
    async (provider) => {
      use(provider);
      scene.put("big.txt", BIG);
      const parts = [
        call("run_shell_command", { command: "rm -rf big.txt" }),
        call("create_file", { path: "M", content: "x".repeat(400) }),
      ];
      scene.fake.script({ parts, end: "cut", split: (bytes) => [bytes.subarray(0, Math.floor(bytes.length * 0.6))] });
      const { report } = await scene.run(...ACT, "go");
      expect(report.exit_code).toBe(1);
      scene.fake.script({ parts, edit: (frames) => frames.slice(0, -2) });
      expect((await scene.run(...ACT, "--continue", "again")).report.exit_code).toBe(1);
      expect([scene.get("big.txt"), exists("M")]).toEqual([BIG, false]);
      scene.fake.script({ text: "On." });
      expect((await scene.run("--continue", "next")).report).toMatchObject({ exit_code: 0, result: "On." });
    },
  );

  it.each(["anthropic", "openai", "ollama"] as const)(
    "%s: arguments that are no object aren't guessed at: empty ones are {}, the rest an error (ENG-111)",
    async (provider) => {
      use(provider);
      scene.put("big.txt", BIG);
      const texts = ["", "  ", "null", "[]", '"{\\"path\\":\\"big.txt\\"}"', "7", "{}{}"];
      scene.fake.script(
        { parts: texts.flatMap((text) => [cutCall("delete_file", text), cutCall("list_files", text)]) },
        { text: "I see." },
      );
      const { report } = await scene.run(...ACT, "go");
      expect(report).toMatchObject({ exit_code: 0, result: "I see." });
      const errors = (name: string) =>
        report.tool_calls?.filter((one) => one.name === name).map(({ result }) => typeof result["error"] === "string");
      expect(errors("delete_file")).toEqual(texts.map(() => true));
      expect(errors("list_files")).toEqual([false, false, ...texts.slice(2).map(() => true)]);
      expect(scene.get("big.txt")).toBe(BIG);
      scene.fake.script({ text: "On." });
      expect((await scene.run("--continue", "next")).report).toMatchObject({ exit_code: 0, result: "On." });
    },
  );
});

describe("T-STR-5: calls and results stay together", () => {
  /** Starts a batch of two, the first finished and the second running, and ends the program by a signal. */
  async function endWithin(signal: NodeJS.Signals): Promise<number | null> {
    scene.fake.script({ parts: [shell("echo first > done"), shell("echo $$ > pid; sleep 600", 600)] });
    const run = startExec(scene.scratch, [...ACT, "the prompt"]);
    const pid = path.join(scene.scratch.ws, "pid");
    await until(() => existsSync(pid) && statSync(pid).size > 0);
    run.child.kill(signal);
    return (await run.done).code;
  }

  it.each(
    PROVIDERS.flatMap((provider) => (["SIGKILL", "SIGINT"] as const).map((signal) => [signal, provider] as const)),
  )(
    "%s in the middle of a batch of %s: the session goes on with the others (ENG-60, 102, 103)",
    async (signal, provider) => {
      use(provider);
      expect(await endWithin(signal)).toBe(signal === "SIGINT" ? 130 : null);
      expect(scene.get("done")).toBe("first\n");
      const at = PROVIDERS.indexOf(provider) + 1;
      const others = [...PROVIDERS.slice(at), ...PROVIDERS.slice(0, at)];
      for (const [n, next] of (signal === "SIGKILL" ? others : others.slice(0, 2)).entries()) {
        use(next);
        scene.fake.script({ parts: [call("read_file", { path: "done" })] }, { text: `Answer ${n}.` });
        const { report } = await scene.run("--continue", `prompt ${n}`);
        expect([next, report.result, report.error]).toEqual([next, `Answer ${n}.`, undefined]);
        const { text } = scene.fake.requests.at(-1) ?? { text: "" };
        for (const part of ["the prompt", "echo first > done", "sleep 600", `prompt ${n}`])
          expect(text.split(part)).toHaveLength(2);
      }
    },
  );
});

describe("T-MEM-1: imports", () => {
  it("gives each text once and nothing from outside, and lists what it refused (MEM-02 to MEM-06)", async () => {
    const outside = (name: string, text: string): void => writeFileSync(path.join(scene.scratch.base, name), text);
    outside("out.md", "CANARY-out");
    outside("linked.md", "CANARY-linked");
    mkdirSync(path.join(scene.scratch.base, "folder"));
    outside("folder/in.md", "CANARY-folder");
    const home = path.join(scene.scratch.home, ".ssh");
    mkdirSync(home);
    writeFileSync(path.join(home, "id.md"), "CANARY-home");
    scene.put("deep/AGENTS.md", "unused");
    const imports = [
      "@a.md",
      "me@example.com <u@host.tld> @Injectable()",
      "`@c.md` and ``@c.md``",
      "```",
      "@c.md",
      "```",
      "@../out.md @deep/../../out.md",
      `@${scene.scratch.base}/out.md`,
      "@/etc/hosts",
      "@~/.ssh/id.md",
      "@l.md @f/in.md @chain.md",
      "@.env @conf.env @sub/.env",
      "@missing.md.",
      "@one.md",
      "@crlf.md",
      "@long.md",
    ];
    scene.put("AGENTS.md", `ROOT-TEXT\n${imports.join("\n")}\n`);
    scene.put("a.md", "A-TEXT\n@b.md\n");
    scene.put("b.md", "B-TEXT\n@a.md @AGENTS.md\n");
    scene.put("c.md", "CANARY-code");
    scene.put(".env", "CANARY-env");
    scene.put("sub/.env", "CANARY-env2");
    const { ws } = scene.scratch;
    symlinkSync("../linked.md", path.join(ws, "l.md"));
    symlinkSync("../folder", path.join(ws, "f"));
    symlinkSync(".env", path.join(ws, "conf.env"));
    symlinkSync("l.md", path.join(ws, "chain.md"));
    ["one", "two", "three", "four", "five", "six", "seven"].forEach((name, i, all) => {
      scene.put(`${name}.md`, `CHAIN-${i}\n@${all[i + 1] ?? "one"}.md\n`);
    });
    scene.put("crlf.md", "\uFEFFCRLF-TEXT\r\n@tail.md\r\n");
    scene.put("tail.md", "TAIL-TEXT");
    scene.put("long.md", `LONG-TEXT ${"😀".repeat(50_000)}x`);
    scene.commitAll();
    const before = treeOf(ws);

    scene.fake.script({ text: "Hello." });
    const run = await scene.run("go");
    expect(run.report.exit_code).toBe(0);
    const text = scene.fake.requests[0]?.text ?? "";
    for (const once of ["ROOT-TEXT", "A-TEXT", "B-TEXT", "CRLF-TEXT", "TAIL-TEXT", "LONG-TEXT", "CHAIN-0", "CHAIN-4"])
      expect([once, text.split(once).length - 1]).toEqual([once, 1]);
    expect(text).not.toMatch(/CANARY|localhost|\uFFFD|\uFEFF|CHAIN-[56]/);
    for (const refused of [
      "../out.md",
      "/etc/hosts",
      "~/.ssh/id.md",
      "l.md",
      "f/in.md",
      "chain.md",
      "conf.env",
      ".env",
    ])
      expect(run.stderr).toContain(refused);
    expect(run.stderr).not.toMatch(/CANARY|c\.md|example\.com|Injectable/);
    expect(treeOf(ws)).toEqual(before);
  });
});
