// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startBlitz } from "./run-blitz.js";
import { call, openScene, type Scene } from "./scene.js";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(async () => {
  expect(scene.fake.violations).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const init = async (...flags: readonly string[]) =>
  await startBlitz(scene.scratch, ["init", "--local", "-c", scene.scratch.cfg, "-d", scene.scratch.ws, ...flags]).done;
const writeBlitz = call("create_file", { path: "BLITZ.md", content: "Run make.\n" });

describe("blitz init", () => {
  it("has the agent write the instruction file; the transcript says /init (MEM-22, CLI's table)", async () => {
    scene.fake.script({ parts: [writeBlitz] }, { text: "Wrote BLITZ.md." });
    const { code, stdout } = await init("--allow", "write(BLITZ.md)");
    expect([code, scene.get("BLITZ.md")]).toEqual([0, "Run make.\n"]);
    expect(stdout).toContain("Wrote BLITZ.md.");
    expect(JSON.stringify(scene.fake.requests[0]?.body)).toContain("Write down for coding agents");
    const sessions = path.join(scene.scratch.home, ".blitz", "sessions");
    const texts = readdirSync(sessions).map((name) => readFileSync(path.join(sessions, name), "utf8"));
    expect(texts.some((text) => text.includes("/init"))).toBe(true);
  });

  it("writes nothing where nobody can be asked (CLI-16)", async () => {
    scene.fake.script({ parts: [writeBlitz] }, { text: "Refused." });
    await init();
    expect(readdirSync(scene.scratch.ws)).toEqual([]);
  });

  it.each([
    ["words", ["now"], "init takes no words"],
    ["a prompt", ["-p", "x"], "'-p'"],
    ["--plan", ["--plan"], "unknown flag --plan"],
  ])("refuses %s (CLI-06)", async (_name, flags, message) => {
    const { code, stderr } = await init(...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("/init in a session", () => {
  it("is a turn of its own, and what it wrote is read (MEM-22)", async () => {
    scene.fake.script({ parts: [writeBlitz] }, { text: "Wrote BLITZ.md." });
    const args = ["-i", "--local", "-c", scene.scratch.cfg, "-d", scene.scratch.ws];
    const stdin = ["/memory", "/init now", "/init", "y", "/memory", ""].join("\n");
    const { stdout } = await startBlitz(scene.scratch, args, { stdin }).done;
    expect(stdout).toContain("Usage: /init\n");
    expect(stdout.slice(stdout.indexOf("Wrote BLITZ.md."))).toMatch(/^BLITZ\.md$/m);
    expect(scene.get("BLITZ.md")).toBe("Run make.\n");
  });
});
