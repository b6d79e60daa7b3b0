// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call, openScene, type Scene, until } from "./scene.js";
import { type Finished, type Running, startBlitz } from "./run-blitz.js";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(async () => {
  expect(scene.fake.violations).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const ESCAPE: string = "\u001b";
const args = (...more: readonly string[]): string[] => [
  "-i",
  "--local",
  "-c",
  scene.scratch.cfg,
  "-d",
  scene.scratch.ws,
  ...more,
];

/** A session on a pipe: the lines are its whole input. */
async function typing(lines: readonly string[], ...more: readonly string[]): Promise<Finished> {
  return await startBlitz(scene.scratch, args(...more), { stdin: `${lines.join("\n")}\n` }).done;
}

/** A session whose input goes on; what it prints so far. */
function opened(): Running & { readonly shown: () => string; readonly type: (line: string) => void } {
  const running = startBlitz(scene.scratch, args(), { openInput: true });
  let text = "";
  running.child.stdout?.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  return { ...running, shown: () => text, type: (line) => running.child.stdin?.write(`${line}\n`) };
}

/** The prompts a provider was sent, in order. */
const sent = (): string[] => scene.fake.requests.map((one) => JSON.stringify(one.body));

describe("a session on a pipe (TUI-69)", () => {
  it("answers prompt after prompt in one session, and says how to go on in it (TUI-06)", async () => {
    scene.fake.script({ text: "One it is." }, { text: "Two it is." });
    const { code, stdout, stderr } = await typing(["say one", "say two", "/exit", "never reached"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Blitz \S+ {2}agent \S+ · model anthropic\/fake-model\n/);
    expect(stdout).toContain("One it is.\n");
    expect(stdout).toContain("Two it is.\n");
    expect(stdout).toMatch(/\n\S+ in · \S+ out · context \S+/);
    expect(stdout).toMatch(/\nblitz --resume=session-\S+\n$/);
    expect(stdout).not.toContain(ESCAPE);
    expect(sent()).toHaveLength(2);
    expect(sent()[1]).toContain("say one"); // the second turn knows the first
  });

  it("takes a first prompt from the command line, and ends with the input (CLI-05)", async () => {
    scene.fake.script({ text: "Hello." });
    const { code, stdout } = await typing([], "greet me");
    expect(code).toBe(0);
    expect(stdout).toContain("Hello.\n");
    expect(sent()[0]).toContain("greet me");
  });

  it("asks by line and changes the file for a yes, leaves it for anything else (TUI-15, 50)", async () => {
    scene.put("a.txt", "old\n");
    const edit = call("replace_in_file", { path: "a.txt", target_content: "old", replacement_content: "new" });
    scene.fake.script({ parts: [edit] }, { text: "Refused." }, { parts: [edit] }, { text: "Done." });
    const { stdout } = await typing(["edit it", "perhaps", "again", "yes", "/diff"]);
    expect(stdout).toContain("-old\n+new");
    expect(scene.get("a.txt")).toBe("new\n");
    expect(stdout.match(/Allow this\?/g)).toHaveLength(2);
  });

  it("undoes from the prompt (TUI's table, FS-60)", async () => {
    scene.put("a.txt", "old\n");
    const edit = call("replace_in_file", { path: "a.txt", target_content: "old", replacement_content: "new" });
    scene.fake.script({ parts: [edit] }, { text: "Done." });
    const { stdout } = await typing(["edit it", "y", "/checkpoints", "/undo", "/undo"]);
    expect(stdout).toContain("restored a.txt");
    expect(stdout).toContain("Nothing to undo.");
    expect(scene.get("a.txt")).toBe("old\n");
  });

  it("joins lines that end in a backslash, and takes a fenced block as text (TUI-12)", async () => {
    scene.fake.script({ text: "a" }, { text: "b" });
    await typing(["first \\", "second", '"""', "/help", "", "!ls", '"""']);
    expect(sent()[0]).toContain(String.raw`first \nsecond`);
    expect(sent()[1]).toContain(String.raw`/help\n\n!ls`);
  });

  it("goes on after a turn that fails (CLI-30)", async () => {
    scene.fake.script({ status: 400, body: { error: { message: "no such thing" } } }, { text: "Better." });
    const { code, stdout } = await typing(["fail", "work"]);
    expect(stdout).toContain("Error: ");
    expect(stdout).toContain("Better.");
    expect(code).toBe(0);
  });
});

describe("lines that are no prompt", () => {
  it.each([
    ["/helpp", "No command /helpp; did you mean /help?"],
    ["/tmp", "No command /tmp"],
    ["/rename", "Usage: /rename <title>"],
    ["/session load nonsense", "Error: "],
    ["/mode sideways", "Error: unknown permission mode"],
    ["/agent nobody", "Error: "],
    ["/permissions allow", "Usage: /permissions"],
    ["/permissions remove shell(rm)", "Error: No rule shell(rm)."],
    ["/permissions remove shell(", "Error: bad rule"],
    ["/effort huge", "Error: unknown effort"],
    ["/set agency", "Usage: /config [key=value [--save]]"],
    ["/set agency=none", "Error: unknown agency level"],
    ["/set temper=1", "Error: No setting temper here; there are model, agent, mode, agency, effort, locale"],
    ["/locale klingonish", 'Error: No language "klingonish"; /locale lists'],
    ["/set effort=low --save", "Error: effort holds while"],
  ])("%s is told and never sent (TUI-22, T-TUI-5)", async (line, told) => {
    const { code, stdout } = await typing([line]);
    expect(stdout).toContain(told);
    expect(sent()).toEqual([]);
    expect(code).toBe(0);
  });

  it.each(["/etc/hosts has a typo", "//note", " /tmp"])("%s is sent as it is (T-TUI-5)", async (line) => {
    scene.fake.script({ text: "ok" });
    await typing([line]);
    expect(sent()[0]).toContain(line.trim());
  });

  it.each([
    ["/help", "/permissions [allow|ask|deny|remove <rule>]"],
    ["/agents", "› "],
    ["/model", "Model anthropic/fake-model."],
    ["/mode plan", "Permission mode plan."],
    ["/mode", "› [1] default"],
    ["/config", "mode    default"],
    ["/show", "effort  auto"],
    ["/effort high", "Effort high from the next prompt on."],
    ["/effort", "  [2] minimal"],
    ["/set agency=low", "Agency low from the next prompt on."],
    ["/locale", "› en-US   American English\n  es      español\n"],
    ["/config mode=plan", "Permission mode plan."],
    ["/set model=anthropic/other", "Model anthropic/other from"],
    ["/permissions allow shell(npm test)", "This session: allow"],
    ["/perms", "No rules."],
    ["/session new", "New session session-"],
    ["/rename My title", "Title: My title"],
    ["/checkpoints", "Nothing to undo."],
    ["/diff", "No changes in this session."],
    ["/cost", "0 model calls"],
    ["/memory", "No instruction files."],
    ["/status", "workspace  "],
    ["/plan", "Usage: /plan <goal>"],
  ])("%s has its effect (TUI's table)", async (line, shown) => {
    const { stdout } = await typing([line]);
    expect(stdout).toContain(shown);
    expect(stdout).not.toContain("Error:");
  });

  it("/permissions remove takes back the session's rule, and leaves the settings' (PAR-PERM-12)", async () => {
    scene.scratch.configure("anthropic", scene.fake.url, '[permissions]\ndeny = ["shell(dd)"]\n');
    const lines = ["deny shell(rm)", "remove bash(rm)", "remove shell(dd)", ""].map((one) => `/permissions ${one}`);
    const { stdout } = await typing(lines);
    expect(stdout).toContain("Taken back: shell(rm).");
    expect(stdout).toContain("Error: shell(dd) comes from global, not from this session: it stays.");
    expect(stdout).toContain("deny  shell(dd)  (global)");
    expect(stdout).not.toContain("deny  shell(rm)  (session)");
  });

  it("/config --save saves what it sets, and a failing save takes nothing back (TUI's table, CFG-20)", async () => {
    const file = path.join(scene.scratch.cfg, ".env.toml");
    const { stdout } = await typing(["/set mode=acceptEdits --save", "/set agency=high --save"]);
    expect(stdout).toContain(`blitz.permission_mode is saved in ${file}.`);
    expect(readFileSync(file, "utf8")).toContain('permission_mode = "accept-edits"');
    const session = opened();
    await until(() => session.shown().includes("/help"));
    writeFileSync(file, "[broken");
    session.type("/set agency=low --save");
    session.type("/config");
    session.type("/exit");
    const after = (await session.done).stdout;
    expect(after).toContain("Warning: Set, but not saved: ");
    expect(after).toContain("agency  low");
    expect(readFileSync(file, "utf8")).toBe("[broken");
  });

  it("/effort and /set agency= count from the next prompt on (WS-43, MDL-74)", async () => {
    scene.scratch.configure("openai", scene.fake.url);
    scene.fake.script({ text: "One." }, { text: "Two." });
    await typing(["one", "/effort max", "/set agency=low", "two"]);
    const [first, second] = scene.fake.requests.map(
      ({ body }) => body as { readonly reasoning?: object; readonly instructions: string },
    );
    expect([first?.reasoning, second?.reasoning]).toEqual([undefined, { effort: "high" }]);
    expect(first?.instructions).not.toBe(second?.instructions);
  });

  it("/sandbox says what the banner's first line does (SH-65)", async () => {
    const { stdout } = await typing(["/sandbox"]);
    const [, summary = ""] = /^Sandbox: (.+)$/m.exec(stdout) ?? [];
    expect(summary).not.toBe("");
    expect(stdout.split(summary)).toHaveLength(3);
  });

  it("!cmd runs in the workspace as the user, tells a failing code, and isn't recorded (TUI-20)", async () => {
    const { stdout } = await typing(["!pwd", "!exit 3", "/session list"]);
    expect(stdout).toContain(`${scene.scratch.ws}\n`);
    expect(stdout).toContain("exit code 3");
    expect(stdout).not.toContain("--resume=");
    expect(sent()).toEqual([]);
  });

  it("!cmd on a pipe gets none of the lines that are the session's (TUI-10)", async () => {
    const session = opened();
    session.type("!cat; echo over");
    await until(() => session.shown().includes("over\n"));
    session.type("/model");
    session.type("/exit");
    const { stdout } = await session.done;
    expect(stdout).toContain("Model anthropic/fake-model.");
  });

  it("shows escape sequences of a command's title as text, never obeyed (T-TUI-3)", async () => {
    const { stdout } = await typing([`/rename a${ESCAPE}]0;evil\u0007b${ESCAPE}[2Jc`]);
    expect(stdout).not.toContain(ESCAPE);
    expect(stdout).not.toContain("\u0007");
  });
});

describe("other languages (I18N-20)", () => {
  it("/locale switches at once, menus and questions too, and is kept (I18N-21)", async () => {
    const file = path.join(scene.scratch.cfg, ".env.toml");
    writeFileSync(file, `# mine\n${readFileSync(file, "utf8")}`);
    scene.put("a.txt", "old\n");
    scene.fake.script({ parts: [call("delete_file", { path: "a.txt" })] }, { text: "Done." });
    const { stdout } = await typing(["/help", "/locale Español", "/help", "delete it", "n", "/config"]);
    expect(stdout.indexOf("this list")).toBeLessThan(stdout.indexOf("esta lista"));
    expect(stdout).toContain("Idioma: español (es).");
    expect(stdout).toContain("¿Permitir esto?");
    expect(stdout).toContain("locale  es");
    expect(readFileSync(file, "utf8")).toMatch(/^# mine[\s\S]*locale = "es"/);
    expect((await typing(["/help"])).stdout).toContain("esta lista");
  });

  it("/set locale= switches for this session alone; without words in it menus stay English (I18N-21)", async () => {
    const { stdout } = await typing(["/set locale=German", "/locale"]);
    expect(stdout).toContain("Language: Deutsch (de).\nThere are no words in Deutsch: menus stay English.\n");
    expect(stdout).toContain("› de      Deutsch\n");
    expect((await typing(["/show"])).stdout).toContain("locale  en-US");
  });

  it.each([
    ["es_ES.UTF-8", "esta lista"],
    ["fr_CA.UTF-8", "cette liste"],
  ])("speaks %s, with the same answer letters", async (LANG, help) => {
    scene.put("a.txt", "old\n");
    const edit = call("replace_in_file", { path: "a.txt", target_content: "old", replacement_content: "new" });
    scene.fake.script({ parts: [edit] }, { text: "Done." });
    const input = { stdin: "/help\nedit it\ny\n", env: { LANG } };
    const { stdout } = await startBlitz(scene.scratch, args(), input).done;
    expect(stdout).toContain(help);
    expect(stdout).not.toContain("Allow this?");
    expect(scene.get("a.txt")).toBe("new\n");
  });
});

describe("Ctrl+C (TUI-31)", () => {
  it("ends the turn that runs and nothing else", async () => {
    scene.fake.script({ text: "never", hold: new Promise(() => undefined) }, { text: "Still here." });
    const session = opened();
    session.type("wait");
    await until(() => scene.fake.requests.length === 1);
    session.child.kill("SIGINT");
    await until(() => session.shown().includes("interrupted"));
    session.type("go on");
    session.type("/exit");
    const { code, stdout } = await session.done;
    expect(stdout).not.toContain("never");
    expect(stdout).toContain("Still here.");
    expect(code).toBe(0);
  });
});

describe("flags that need one prompt (CLI-06)", () => {
  it.each([["--plan"], ["--max-turns", "3"], ["--timeout", "5m"], ["--output-format", "json"], ["--bg"]])(
    "-i with %s is a usage error",
    async (...flags) => {
      const { code, stderr } = await typing([], ...flags);
      expect(code).toBe(2);
      expect(stderr).toContain(flags[0]);
    },
  );
});
