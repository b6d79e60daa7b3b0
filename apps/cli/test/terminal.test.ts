// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTerminal, type TerminalOptions, type TestTerminal } from "./open-terminal.js";
import { PROGRAM } from "./run-blitz.js";
import { call, openScene, type Scene, shell, until } from "./scene.js";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(async () => {
  expect(scene.fake.violations).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const ENTER: string = "\r";
const CTRL_D: string = "\u0004";

/** A session in a terminal of its own. */
function session(options: TerminalOptions = {}, ...more: readonly string[]): TestTerminal {
  return openTerminal(scene.scratch, ["--local", "-c", scene.scratch.cfg, "-d", scene.scratch.ws, ...more], options);
}

/** A session whose prompt is on screen. */
async function ready(options: TerminalOptions = {}, ...more: readonly string[]): Promise<TestTerminal> {
  const terminal = session(options, ...more);
  await terminal.shows(/Sandbox: [^]*blitz ›/); // the workspace is open
  return terminal;
}

describe("a session in a terminal (19)", () => {
  it("streams an answer as Markdown, and leaves a hint (TUI-01…06)", async () => {
    scene.fake.script({ text: "# Title\n\nSome **bold** text.\n\n1. one\n2. two\n\n```js\nconst a = 1;\n```\n" });
    await using terminal = await ready();
    terminal.type(`hello${ENTER}`);
    await terminal.shows("↳");
    terminal.type(CTRL_D);
    expect(await terminal.ended).toBe(0);
    const [, ...shown] = terminal.transcript().split("\n");
    expect(
      shown
        .join("\n")
        .replace(/session-\S+/, "session-…")
        .replace(/^Sandbox: .*$/m, "Sandbox: …"),
    ).toMatchInlineSnapshot(`
      "/help lists the commands · Ctrl+C stops a turn, at the prompt it leaves
      Sandbox: …

      blitz › hello

      Title

      Some bold text.

      1. one
      2. two

        const a = 1;

      ↳ 0 in · 0 out · context 0
      blitz --resume=session-…"
    `);
  });

  it("asks in a picker that no earlier key answers; the keys stay for the line (TUI-10, 50, APR-64)", async () => {
    const held = Promise.withResolvers<void>();
    scene.fake.script(
      { parts: [call("create_file", { path: "a.txt", content: "hi\n" })], hold: held.promise },
      { text: "Done." },
    );
    await using terminal = await ready();
    terminal.type(`make it${ENTER}`);
    await terminal.shows("Esc");
    terminal.type("yyy");
    await terminal.shows("› yyy");
    held.resolve();
    const asked = await terminal.shows("Allow this?");
    expect(asked).toContain("+hi");
    expect(asked).not.toContain("Enter chooses");
    terminal.type("n"); // too soon to be meant for it: for the line
    await terminal.shows("Enter chooses");
    terminal.type("y");
    await terminal.shows("Done.");
    expect(scene.get("a.txt")).toBe("hi\n");
    expect(await terminal.shows("› yyyn")).not.toContain("❯");
  });

  it("steers the turn that runs with what is typed (TUI-32)", async () => {
    const held = Promise.withResolvers<void>();
    scene.fake.script({ parts: [shell("echo one")], hold: held.promise }, { text: "Heard." });
    await using terminal = await ready({}, "--allow", "shell(echo *)");
    terminal.type(`go${ENTER}`);
    await terminal.shows("Esc");
    terminal.type(`mind the gap${ENTER}`);
    await terminal.shows("» mind the gap");
    held.resolve();
    await terminal.shows("Heard.");
    expect(JSON.stringify(scene.fake.requests.at(-1)?.body)).toContain("mind the gap");
  });

  it.each([
    ["Esc", "\u001b"],
    ["Ctrl+C", "\u0003"],
  ])("ends only the turn with %s (TUI-14, 31)", async (_name, key) => {
    scene.fake.script({ text: "never", hold: new Promise<void>(() => undefined) }, { text: "Again." });
    await using terminal = await ready();
    terminal.type(`go${ENTER}`);
    await until(() => scene.fake.requests.length === 1);
    terminal.type(key);
    await terminal.shows("interrupted");
    terminal.type(`again${ENTER}`);
    await terminal.shows("Again.");
  });

  it("keeps the shell's lines and every word of an answer through resizes (libraries.md, decision 4)", async () => {
    const words = Array.from({ length: 200 }, (_, at) => `word${at}`);
    const held = Promise.withResolvers<void>();
    scene.fake.script(
      { text: words.slice(0, 100).join(" ") },
      { text: words.slice(100).join(" "), hold: held.promise },
    );
    const shellLines = Array.from({ length: 41 }, (_, at) => `line ${at} of the shell`);
    const command = `for i in $(seq 0 40); do echo "line $i of the shell"; done; exec "$@"`;
    const blitz = ["--local", "-c", scene.scratch.cfg, "-d", scene.scratch.ws];
    await using terminal = openTerminal(scene.scratch, [process.execPath, PROGRAM, ...blitz], {
      program: ["sh", "-c", command, "sh"],
    });
    await terminal.shows("blitz ›");
    terminal.type(`go${ENTER}`);
    await terminal.shows("↳");
    for (const columns of [60, 100, 33, 80]) await terminal.resize(columns, 20 + (columns % 7));
    terminal.type(`more${ENTER}`);
    await terminal.shows("Esc");
    for (const columns of [50, 120, 40, 80]) await terminal.resize(columns, 24);
    held.resolve();
    await terminal.shows("word199");
    await terminal.shows((screen) => screen.includes("› ") && !screen.includes("Esc"));
    const text = terminal.transcript().replaceAll(/\s+/g, " ");
    for (const line of shellLines) expect(text.split(line)).toHaveLength(2);
    for (const word of words) expect(text.split(new RegExp(`\\b${word}\\b`))).toHaveLength(2);
    expect(text.split("Esc stops")).toHaveLength(1); // nothing of the live region stayed behind
  });

  it("folds a paste of 10,000 lines and sends it whole (TUI-63, T-TUI-1)", async () => {
    scene.fake.script({ text: "Read." });
    await using terminal = await ready();
    const text = Array.from({ length: 10_000 }, (_, at) => `행 ${at} 日本語`).join("\n");
    terminal.type(`\u001b[200~${text}\u001b[201~`);
    await terminal.shows(/paste #1 \+10000 lines/);
    terminal.type(ENTER);
    await terminal.shows("Read.");
    const [request] = scene.fake.requests;
    expect(JSON.stringify(request?.body)).toContain(JSON.stringify(text).slice(1, -1));
  });
});
