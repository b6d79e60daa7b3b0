// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTerminal, type TerminalOptions, type TestTerminal } from "./open-terminal.js";
import { openScene, type Scene, shell } from "./scene.js";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(async () => {
  expect(scene.fake.violations).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const ENTER: string = "\r";
const ESC: string = "\u001b";
const UP: string = "\u001b[A";
const DOWN: string = "\u001b[B";
const SHIFT_TAB: string = "\u001b[Z";
const ctrl = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 96);

/** A session in a terminal, with its prompt on screen. */
async function ready(options: TerminalOptions = {}, ...more: readonly string[]): Promise<TestTerminal> {
  const { cfg, ws } = scene.scratch;
  const terminal = openTerminal(scene.scratch, ["--local", "-c", cfg, "-d", ws, ...more], options);
  await terminal.shows(/Sandbox: [^]*blitz ›/); // the workspace is open
  return terminal;
}

/** The line being typed: the last row with a prompt. */
const lineOf = (screen: string): string => screen.split("\n").findLast((row) => /^blitz.* ›/.test(row)) ?? "";

describe("keys at the prompt (19)", () => {
  it("is there before the workspace is, and keeps what is typed and entered", async () => {
    scene.fake.script({ text: "Hello." });
    const { cfg, ws } = scene.scratch;
    await using terminal = openTerminal(scene.scratch, ["--local", "-c", cfg, "-d", ws]);
    await terminal.shows("blitz ›");
    terminal.type(`hello${ENTER}`);
    terminal.type(ctrl("d"));
    await terminal.shows("Hello.");
    expect(scene.fake.requests).toHaveLength(1);
  });

  it("Shift+Tab goes through the modes that can be entered, and shows each (TUI-02, 13)", async () => {
    await using terminal = await ready();
    terminal.type(SHIFT_TAB);
    await terminal.shows("blitz [accept-edits] ›");
    const seen = ["accept-edits"];
    while (seen.at(-1) !== "default") {
      const before = lineOf(terminal.screen());
      terminal.type(SHIFT_TAB);
      const line = lineOf(await terminal.shows((screen) => lineOf(screen) !== before));
      seen.push(/\[(.*)\]/.exec(line)?.[1] ?? "default");
    }
    expect(seen.filter((mode) => mode !== "auto")).toEqual(["accept-edits", "plan", "default"]);
  });

  it("Esc Esc clears the line, one Esc leaves it (TUI-13, 14)", async () => {
    await using terminal = await ready();
    terminal.type("some text");
    await terminal.shows("› some text");
    terminal.type(ESC);
    expect(await terminal.shows("Esc again clears")).toContain("› some text");
    terminal.type("!");
    expect(await terminal.shows("› some text!")).not.toContain("Esc again");
    terminal.type(ESC);
    await terminal.shows("Esc again clears");
    terminal.type(ESC);
    await terminal.shows((screen) => lineOf(screen) === "blitz ›");
  });

  it("Ctrl+C clears the line, and leaves on an empty one with the terminal as it was (TUI-40, 62)", async () => {
    scene.fake.script({ text: "Hello." });
    await using terminal = await ready();
    terminal.type(`hello${ENTER}`);
    await terminal.shows("↳");
    terminal.type("text");
    await terminal.shows("› text");
    terminal.type(ctrl("c"));
    await terminal.shows((screen) => lineOf(screen) === "blitz ›");
    terminal.type(ctrl("c"));
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw()).toMatch(/\u001b\[\?2004l/);
    expect(terminal.raw().lastIndexOf("\u001b[?25h")).toBeGreaterThan(terminal.raw().lastIndexOf("\u001b[?25l"));
    expect(terminal.transcript()).toMatch(/blitz --resume=session-\S+$/);
  });

  it("titles the window after the session and takes the title back (TUI-06)", async () => {
    scene.fake.script({ text: "Hello." });
    await using terminal = await ready();
    terminal.type(`/rename Mind the gap${ENTER}`);
    await terminal.shows("Title:");
    terminal.type(`hello${ENTER}`);
    await terminal.shows("↳");
    terminal.type(ctrl("d"));
    await terminal.ended;
    const titles = [...terminal.raw().matchAll(/\u001b\]0;([^\u0007]*)\u0007/g)].map(([, title]) => title);
    expect(titles).toEqual(["Blitz", "Blitz · Mind the gap", ""]);
  });

  it("recalls earlier lines, also of other sessions, kept for the owner alone (TUI-11)", async () => {
    scene.fake.script({ text: "One." }, { text: "Two." });
    {
      await using terminal = await ready();
      terminal.type(`first line${ENTER}`);
      await terminal.shows("One.");
      terminal.type(`second line${ENTER}`);
      await terminal.shows(/Two\.[^]*↳/);
      terminal.type(ctrl("d"));
      await terminal.ended;
    }
    const file = path.join(scene.scratch.home, ".blitz", "history");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toBe('"first line"\n"second line"\n');
    await using terminal = await ready();
    terminal.type(UP);
    await terminal.shows("› second line");
    terminal.type(UP);
    await terminal.shows("› first line");
    terminal.type(DOWN);
    await terminal.shows("› second line");
  });

  it("Ctrl+R looks for an earlier line by what is in it (TUI-11)", async () => {
    scene.fake.script({ text: "One." }, { text: "Two." });
    await using terminal = await ready();
    terminal.type(`mend the parser${ENTER}`);
    await terminal.shows("One.");
    terminal.type(`write a poem${ENTER}`);
    await terminal.shows("Two.");
    terminal.type(ctrl("r"));
    await terminal.shows("❯ write a poem");
    terminal.type("pars");
    await terminal.shows("❯ mend the parser");
    terminal.type(ENTER);
    await terminal.shows((screen) => lineOf(screen) === "blitz › mend the parser");
  });

  it("completes commands, arguments and files, but none that are blocked (TUI-11, CLI-40, 41)", async () => {
    for (const name of ["alpha.ts", "alphabet/deep.ts", ".env", "secret.pem"]) scene.put(name, "x\n");
    await using terminal = await ready();
    terminal.type("/che");
    await terminal.shows("/checkpoints");
    terminal.type("\t");
    await terminal.shows("› /checkpoints");
    terminal.type(ctrl("u"));
    terminal.type("/mode pl\t");
    await terminal.shows("› /mode plan");
    for (const [typed, whole] of [
      ["/effort hi", "/effort high"],
      ["/set agency=ex", "/set agency=extreme"],
    ] as const) {
      terminal.type(`${ctrl("u")}${typed}\t`);
      await terminal.shows(`› ${whole}`);
    }
    terminal.type(ctrl("u"));
    terminal.type("look at @alp");
    const menu = await terminal.shows("@alphabet/");
    expect(menu).toContain("@alpha.ts");
    terminal.type(`${DOWN}\t`);
    await terminal.shows("› look at @alphabet/");
    terminal.type("d");
    await terminal.shows("@alphabet/deep.ts");
    terminal.type("\t");
    await terminal.shows("› look at @alphabet/deep.ts");
    for (const hidden of ["@.", "@sec"]) {
      terminal.type(`${ctrl("u")}see ${hidden}\t`);
      expect(await terminal.shows(`› see ${hidden}`)).not.toMatch(/\.env|secret\.pem/);
    }
  });

  it("/locale switches lists and completions on the screen at once (I18N-21)", async () => {
    await using terminal = await ready();
    terminal.type("/locale fr\t");
    await terminal.shows("› /locale fr-CA");
    terminal.type(ENTER);
    await terminal.shows("Langue : français canadien (fr-CA).");
    terminal.type(`/effort${ENTER}`);
    await terminal.shows("celui de chaque modèle");
    terminal.type(`hig${ENTER}`);
    await terminal.shows("Effort high dès le prochain message.");
    terminal.type("/mod");
    await terminal.shows("indique ou change le mode d’autorisation");
  });

  it("Ctrl+G opens the line in the person's editor and sends what is saved (TUI-13)", async () => {
    scene.fake.script({ text: "Written." });
    const editor = path.join(scene.scratch.base, "editor.sh");
    writeFileSync(
      editor,
      '#!/bin/sh\n[ "$1" = --flag ] || exit 3\nprintf "%s and more\\nin two lines\\n" "$(cat "$2")" > "$2"\n',
      {
        mode: 0o755,
      },
    );
    await using terminal = await ready({ env: { EDITOR: `${editor} --flag` } });
    terminal.type("begun here");
    await terminal.shows("› begun here");
    terminal.type(ctrl("g"));
    await terminal.shows("Written.");
    expect(JSON.stringify(scene.fake.requests[0]?.body)).toContain("begun here and more\\nin two lines");
  });

  it.each([
    ["no editor", {}, "EDITOR"],
    ["one that fails", { EDITOR: "false" }, "exit code 1"],
    ["an empty file", { EDITOR: "true >" }, "Nothing was written"],
  ])("Ctrl+G with %s says so and gives the line back (TUI-13)", async (_name, env, said) => {
    await using terminal = await ready({ env });
    terminal.type("keep me");
    await terminal.shows("› keep me");
    terminal.type(ctrl("g"));
    await terminal.shows(said);
    expect(lineOf(await terminal.shows("› keep me"))).toBe("blitz › keep me");
  });

  it("Ctrl+O shows the last tool's result whole (TUI-04)", async () => {
    scene.fake.script({ parts: [shell("seq 1 12")] }, { text: "Counted." });
    await using terminal = await ready({}, "--allow", "shell(seq *)");
    terminal.type(`count${ENTER}`);
    const shown = await terminal.shows("Counted.");
    expect(shown).toMatch(/✓ run_shell_command seq 1 12 {2}↳ 1 \(\+11\)/);
    expect(shown).not.toContain("\n11\n");
    terminal.type(ctrl("o"));
    expect(await terminal.shows(/\n12\n/)).toMatch(/\n10\n11\n12\n/);
  });

  it("Ctrl+L clears the screen and keeps the line (TUI-65)", async () => {
    await using terminal = await ready();
    terminal.type("kept");
    await terminal.shows("› kept");
    terminal.type(ctrl("l"));
    await terminal.shows((screen) => screen.trim() === "blitz › kept");
  });

  it("Ctrl+Z stops the job and comes back where it was (TUI-64)", async () => {
    const { cfg, ws } = scene.scratch;
    await using terminal = openTerminal(scene.scratch, [], { program: ["sh", "-i"], env: { PS1: "shell$ " } });
    await terminal.shows("shell$");
    const { PROGRAM } = await import("./run-blitz.js");
    terminal.type(`${process.execPath} ${PROGRAM} --local -c ${cfg} -d ${ws}${ENTER}`);
    await terminal.shows("blitz ›");
    terminal.type("half a line");
    await terminal.shows("› half a line");
    terminal.type(ctrl("z"));
    await terminal.shows(/Stopped[^]*shell\$/);
    terminal.type(`fg${ENTER}`);
    await terminal.shows((screen) => screen.trimEnd().endsWith("› half a line"));
  });
});

describe("pickers (TUI-15, 16)", () => {
  it("/mode picks by typing, and choosing the current one changes nothing", async () => {
    await using terminal = await ready();
    terminal.type(`/mode${ENTER}`);
    await terminal.shows("❯ default");
    terminal.type("acc");
    await terminal.shows("❯ accept-edits");
    terminal.type(ENTER);
    await terminal.shows("blitz [accept-edits] ›");
    terminal.type(`/mode${ENTER}`);
    await terminal.shows("❯ accept-edits");
    terminal.type(ENTER);
    await terminal.shows((screen) => screen.trimEnd().endsWith("blitz [accept-edits] ›"));
  });

  it("Esc clears the filter, then cancels; Ctrl+C cancels and leaves no signal behind", async () => {
    await using terminal = await ready();
    terminal.type(`/agent${ENTER}`);
    await terminal.shows("Enter chooses");
    terminal.type("zzz");
    await terminal.shows("nothing matches");
    terminal.type(ESC);
    await terminal.shows("❯ blitz");
    terminal.type(ESC);
    await terminal.shows((screen) => screen.trimEnd().endsWith("blitz ›"));
    terminal.type(`/agent${ENTER}`);
    await terminal.shows("❯ blitz");
    terminal.type(ctrl("c"));
    await terminal.shows((screen) => screen.trimEnd().endsWith("blitz ›"));
    terminal.type("still here");
    await terminal.shows("› still here");
  });

  it("/resume offers this workspace's sessions and goes on in the one chosen (TUI-16)", async () => {
    scene.fake.script({ text: "One." }, { text: "Two." }, { text: "Three." });
    await scene.run("a first session");
    await scene.run("a second session");
    await using terminal = await ready();
    terminal.type(`/resume${ENTER}`);
    await terminal.shows(/a first session[^]*Enter chooses/);
    terminal.type("first");
    await terminal.shows(/❯ a first session/);
    terminal.type(ENTER);
    await terminal.shows(/Going on in/);
    terminal.type(`go on${ENTER}`);
    await terminal.shows("Three.");
    expect(JSON.stringify(scene.fake.requests.at(-1)?.body)).toContain("a first session");
  });
});

describe("a plain terminal (TUI-68, 69)", () => {
  it.each([
    ["--plain", {}, ["--plain"]],
    ["BLITZ_PLAIN=1", { BLITZ_PLAIN: "1" }, []],
    ["TERM=dumb", { TERM: "dumb" }, []],
  ])("%s: linear text, numbered lists, and the same session", async (_name, env, flags) => {
    scene.fake.script({ text: "# Title\n\nText." });
    await using terminal = await ready({ env }, ...flags);
    terminal.type(`hello${ENTER}`);
    await terminal.shows(/# Title[^]*Text\.[^]*blitz ›/);
    terminal.type(`/mode${ENTER}`);
    await terminal.shows("[2] accept-edits");
    terminal.type(`2${ENTER}`);
    await terminal.shows("blitz [accept-edits] ›");
    terminal.type(`/nonsense${ENTER}`);
    await terminal.shows(/Error: No command \/nonsense[^]*›$/);
    terminal.type(ctrl("c"));
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw()).not.toContain(ESC);
  });

  it("NO_COLOR takes the colour and leaves the rest", async () => {
    scene.fake.script({ text: "# Title\n\n```js\nconst a = 1;\n```\n" });
    await using terminal = await ready({ env: { NO_COLOR: "1" } });
    terminal.type(`hello${ENTER}`);
    await terminal.shows(/Title[^]*const a = 1;[^]*↳/);
    expect(terminal.raw()).not.toMatch(/\u001b\[[0-9;]*(?:3[0-79]|9[0-7])m/);
  });

  it("colours code where there is colour", async () => {
    scene.fake.script({ text: "```js\nconst a = 'text';\n```\n" }, { text: "```js\nconst b = 'text';\n```\n" });
    await using terminal = await ready();
    terminal.type(`hello${ENTER}`);
    await terminal.shows("↳");
    terminal.type(`hello${ENTER}`); // the highlighter was loaded with the first
    await terminal.shows(/const b[^]*↳/);
    expect(terminal.raw()).toMatch(/\u001b\[35mconst\u001b\[39m b/);
  });
});
