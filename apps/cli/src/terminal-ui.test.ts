// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { EventEmitter } from "node:events";
import type { ReadStream } from "node:tty";
import type { ApprovalRequest } from "@blitz/api";
import { EN_US, loadMessages } from "@blitz/i18n";
import { describe, expect, it } from "vitest";
import { createKeyboard } from "./keyboard.js";
import type { Output } from "./output/output.js";
import { createTerminalUi } from "./terminal-ui.js";

/** A terminal whose keys the test presses, and which notes what is shown and whether it is raw. */
function fakeTerminal() {
  const events = new EventEmitter();
  const state = { raw: false, paused: true, shown: "" };
  const shown: (() => void)[] = [];
  const stdin = Object.assign(events, {
    setRawMode: (raw: boolean) => void (state.raw = raw),
    resume: () => void (state.paused = false),
    pause: () => void (state.paused = true),
  }) as unknown as ReadStream;
  const out: Output = {
    isTty: true,
    colour: false,
    closed: () => false,
    flush: async () => undefined,
    write: (text) => {
      state.shown += text;
      for (const tell of shown.splice(0)) tell();
    },
  };
  const press = (keys: string): void => void events.emit("data", Buffer.from(keys));
  /** Resolves when something more is shown. */
  const next = (): Promise<void> => new Promise((resolve) => shown.push(resolve));
  return { stdin, out, state, press, next, listeners: () => events.listenerCount("data") };
}

const messages = await loadMessages("en-US", [EN_US]);

function setUp(diffLines = 120) {
  const terminal = fakeTerminal();
  let cancelled = 0;
  const ui = createTerminalUi({
    out: terminal.out,
    keyboard: createKeyboard(terminal.stdin),
    messages,
    diffLines,
    cancel: () => void cancelled++,
  });
  return { ...terminal, ui, cancelled: () => cancelled };
}

const request: ApprovalRequest = {
  tool: "create_file",
  kind: "write_file",
  detail: "Create a.txt (2 bytes)",
  diff: "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+hi\n",
  key: "write:/w",
  keyLabel: "edits in this workspace",
  targets: ["a.txt"],
  mustAsk: false,
};
const signal = new AbortController().signal;

describe("an approval at the terminal (APR-30)", () => {
  it.each([
    ["y", "once"],
    ["s", "session"],
    ["a", "always"],
    ["n", "deny"],
    ["Y", "once"],
  ])("%s answers %s", async (key, decision) => {
    const { ui, press, next, state } = setUp();
    const shown = next();
    const asked = ui.approve(request, signal);
    await shown;
    expect(state.raw).toBe(true);
    press(key);
    expect(await asked).toBe(decision);
    expect([state.raw, state.paused]).toEqual([false, true]);
    expect(state.shown).toMatch(
      /Create a\.txt \(2 bytes\)\n--- \/dev\/null\n[^]*\+hi\n\[y\] yes, once\n\[s\][^]*edits in this workspace/,
    );
  });

  it("is not answered by what was typed before it was shown (APR-64)", async () => {
    const { ui, press, next } = setUp();
    const shown = next();
    const asked = ui.approve(request, signal);
    await Promise.resolve();
    press("yyyy\n");
    await shown;
    press("n");
    expect(await asked).toBe("deny");
  });

  it("asks again after a key that is no answer, and offers no lasting answers without a key", async () => {
    const { ui, press, next, state } = setUp();
    let shown = next();
    const asked = ui.approve({ ...request, key: "" }, signal);
    await shown;
    shown = next();
    press("a");
    await shown;
    press("y");
    expect(await asked).toBe("once");
    expect(state.shown).not.toContain("[s]");
    expect(state.shown).toContain("Answer with one of: y n");
  });

  it.each([
    ["Ctrl+C", "\u0003"],
    ["Esc", "\u001b"],
  ])("%s cancels the whole turn", async (_name, key) => {
    const { ui, press, next, cancelled } = setUp();
    const shown = next();
    const asked = ui.approve(request, signal);
    await shown;
    press(key);
    expect([await asked, cancelled()]).toEqual(["deny", 1]);
  });

  it("ends when the turn is cancelled elsewhere, the terminal as before (APR-52)", async () => {
    const { ui, next, state, listeners } = setUp();
    const abort = new AbortController();
    const shown = next();
    const asked = ui.approve(request, abort.signal);
    await shown;
    abort.abort(new Error("gone"));
    await expect(asked).rejects.toThrow("gone");
    expect([state.raw, listeners()]).toEqual([false, 0]);
  });

  it("cuts a long diff and says how much is left out", async () => {
    const { ui, press, next, state } = setUp(2);
    const shown = next();
    const asked = ui.approve(request, signal);
    await shown;
    press("n");
    await asked;
    expect(state.shown).toContain("2 more lines of the diff not shown");
  });

  it("shows what escape sequences say instead of obeying them (T-TUI-3)", async () => {
    const { ui, press, next, state } = setUp();
    const shown = next();
    const asked = ui.approve({ ...request, detail: "run \u001b]52;c;ZXZpbA==\u0007rm", diff: "+\u001b[2Jx\n" }, signal);
    await shown;
    press("n");
    await asked;
    expect(state.shown).not.toContain("\u001b");
  });

  it("puts one question after the other", async () => {
    const { ui, press, next, state } = setUp();
    let shown = next();
    const first = ui.approve({ ...request, detail: "FIRST" }, signal);
    const second = ui.approve({ ...request, detail: "SECOND" }, signal);
    await shown;
    expect(state.shown).not.toContain("SECOND");
    press("y");
    expect(await first).toBe("once");
    shown = next();
    await shown;
    press("n");
    expect(await second).toBe("deny");
  });
});

describe("a question at the terminal (APR-40)", () => {
  const question = {
    question: "Which?",
    options: [
      { key: "k1", label: "red" },
      { key: "k2", label: "blue" },
    ],
  };

  it.each([
    ["a number", "2\r", { keys: ["k2"] }],
    ["text", "greeen\u007f\u007fn\r", { text: "green" }],
    ["a number out of range as text", "9\r", { text: "9" }],
  ])("takes %s", async (_name, typed, answer) => {
    const { ui, press, next } = setUp();
    const shown = next();
    const asked = ui.ask(question, signal);
    await shown;
    for (const key of typed) press(key);
    expect(await asked).toEqual(answer);
  });

  it("words the options of a plan by their keys", async () => {
    const { ui, press, next, state } = setUp();
    const shown = next();
    const asked = ui.ask(
      {
        question: "",
        plan: "# Plan",
        options: ["execute", "execute_accept_edits", "keep_planning"].map((key) => ({ key, label: "" })),
      },
      signal,
    );
    await shown;
    press("3\r");
    expect(await asked).toEqual({ keys: ["keep_planning"] });
    expect(state.shown).toContain(
      "[1] carry it out, asking as usual\n[2] carry it out, edits accepted\n[3] keep planning",
    );
  });

  it("Ctrl+C cancels the turn and answers nothing", async () => {
    const { ui, press, next, cancelled } = setUp();
    const shown = next();
    const asked = ui.ask(question, signal);
    await shown;
    press("\u0003");
    await expect(asked).rejects.toThrow("cancelled");
    expect(cancelled()).toBe(1);
  });
});
