// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openScene, type Scene, shell, startExec, until } from "./scene.js";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

/** The most memory a process has held so far, in MB. */
function peakMb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;
}

describe.runIf(process.platform === "linux")("a command that never stops writing (T-ENG-1)", () => {
  it.each([
    ["two gigabytes of lines", "yes | head -c 2000000000"],
    ["300 MB of noise", "head -c 300M /dev/urandom"],
    ["a progress bar of 200 MB on one line", "yes $'\\rworking' | tr -d '\\n' | head -c 200M"],
  ])(
    "costs no memory and returns a little valid text: %s",
    async (_name, command) => {
      const hold = Promise.withResolvers<void>();
      const before = Promise.withResolvers<void>();
      // The first command loads what running commands takes; the second one is measured.
      scene.fake.script(
        { parts: [shell("true")] },
        { parts: [shell(command, 60)], hold: before.promise },
        { text: "Done.", hold: hold.promise },
      );
      const run = startExec(scene.scratch, ["--permission-mode", "default", "--allow", "shell(*)", "go"]);
      await until(() => scene.fake.requests.length === 2);
      const pid = run.child.pid ?? 0;
      const base = peakMb(pid);
      before.resolve();
      await until(() => scene.fake.requests.length === 3);
      const grown = peakMb(pid) - base;
      hold.resolve();
      expect((await run.done).code).toBe(0);
      // Up to 64 MB is what V8 lets buffers pile up to before it collects them, whatever the output's length.
      expect(grown).toBeLessThan(80);
      const sent = scene.fake.requests[2]?.text ?? "";
      expect(sent.length).toBeLessThan(300 * 1_024);
      expect(sent.isWellFormed()).toBe(true);
      expect(sent).toMatch(/cut|omitted|left out|truncated/i);
    },
    90_000,
  );
});
