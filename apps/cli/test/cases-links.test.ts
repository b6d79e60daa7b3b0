// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { lstatSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HAS_SANDBOX } from "./run-blitz.js";
import { openScene, type Scene } from "./scene.js";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(async () => {
  await scene[Symbol.asyncDispose]();
});

describe.runIf(HAS_SANDBOX)("what a blocked link leads to", () => {
  it.each([
    ["rm -f .env", "cat conf/real.env"],
    ["mv .env x", "cat conf/real.env"],
    ["mv conf c2", "cat c2/real.env"],
    ["rm -f .env", "echo spoiled > conf/real.env"],
  ])("stays hidden after: %s, from: %s (T-SBX-1, SH-24)", async (change, then) => {
    scene.put("conf/real.env", "canary-7f3a");
    symlinkSync("conf/real.env", path.join(scene.scratch.ws, ".env"));
    const [before, , after] = await scene.commands(["cat conf/real.env", change, then], "--permission-mode", "bypass");
    expect(before?.["output"]).not.toContain("canary-7f3a");
    expect(after?.["output"]).not.toContain("canary-7f3a");
    expect(scene.get("conf/real.env")).toBe("canary-7f3a");
  });
});

describe("the state folder", () => {
  it("is the owner's alone, whatever the umask (T-SES-2, SET-50)", async () => {
    const old = process.umask(0);
    try {
      await scene.run("go");
    } finally {
      process.umask(old);
    }
    const state = path.join(scene.scratch.home, ".blitz");
    for (const dir of ["", "cache", "cache/compile"])
      expect([dir, lstatSync(path.join(state, dir)).mode & 0o777]).toEqual([dir, 0o700]);
  });

  it("a blocked path that can't be one is a fault of the settings, exit 2 (FS-11)", async () => {
    scene.scratch.configure("anthropic", scene.fake.url, '[sandbox]\nblocked_paths = ["a\\nb"]\n');
    const { code, stderr } = await scene.run("go").catch((error: unknown) => ({ code: 2, stderr: String(error) }));
    expect([code, stderr.includes("    at ")]).toEqual([2, false]);
  });
});
