// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Output } from "./output.js";
import { showPaged } from "./pager.js";

const TEXT: string = `${"A line of a long text.\n".repeat(50_000)}The end.\n`;

let dir: string;
let written: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "blitz-pager-"));
  written = "";
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const stdout = (isTty: boolean): Output => ({
  isTty,
  colour: false,
  write: (text) => (written += text),
  flush: async () => undefined,
  closed: () => false,
});

/** Shows the text with the environment of a terminal; without a `PATH` of its own, the machine's. */
async function show(env: Readonly<Record<string, string>>, isTty = true, signal = AbortSignal.any([])): Promise<void> {
  const takeInterrupts = (): Disposable => ({ [Symbol.dispose]: () => undefined });
  const all = { PATH: process.env["PATH"], TERM: "xterm", OUT: path.join(dir, "paged"), ...env };
  await showPaged(TEXT, { stdout: stdout(isTty), env: all, signal, takeInterrupts, isPlain: false });
}

const paged = (): string => readFileSync(path.join(dir, "paged"), "utf8");

/** A program of that name on a `PATH` of its own. */
function putProgram(name: string, script: string): string {
  writeFileSync(path.join(dir, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return dir;
}

describe("a long text on a terminal (RR-05)", () => {
  it("goes through $PAGER, with its arguments, as a shell reads it", async () => {
    await show({ PAGER: 'tail -n 1 > "$OUT"' });
    expect([paged(), written]).toEqual(["The end.\n", ""]);
  });

  it.each([["none"], [""], [" "]])("goes through less -R when $PAGER is %j", async (pager) => {
    const PATH = putProgram("less", '{ echo "$@"; read -r line; echo "$line"; } > "$OUT"');
    await show(pager === "none" ? { PATH } : { PATH, PAGER: pager });
    expect([paged(), written]).toEqual(["-R\nA line of a long text.\n", ""]);
  });

  it("may be left before its end", async () => {
    await show({ PAGER: 'head -n 1 > "$OUT"' });
    expect([paged(), written]).toEqual(["A line of a long text.\n", ""]);
  });

  it("isn't shown again when the pager fails", async () => {
    await show({ PAGER: "exit 1" });
    expect(written).toBe("");
  });

  it.each([
    ["no pager is there", { PATH: "/nowhere" }],
    ["$PAGER isn't there", { PAGER: "blitz-test-no-such-pager 2> /dev/null" }],
    ["the terminal is dumb", { TERM: "dumb", PAGER: 'cat > "$OUT"' }],
  ])("is written where %s", async (_name, env) => {
    await show(env);
    expect(written).toBe(TEXT);
  });

  it("ends its pager with the program (CLI-19)", async () => {
    const abort = new AbortController();
    const shown = show({ PAGER: "exec tail -f /dev/null" }, true, abort.signal);
    abort.abort(new DOMException("interrupted", "AbortError"));
    await expect(shown).rejects.toThrow("interrupted");
    expect(written).toBe("");
  });
});

describe("a long text on a pipe", () => {
  it("is written as it is (RR-05)", async () => {
    await show({ PAGER: 'cat > "$OUT"' }, false);
    expect(written).toBe(TEXT);
  });
});
