// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { editFile } from "./edit-file.js";

let base: string;
let file: string;
let locks: string;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), "blitz-edit-"));
  file = path.join(base, "settings", "it.toml");
  locks = path.join(base, "locks");
  mkdirSync(path.dirname(file));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const text = (): string => readFileSync(file, "utf8");

describe("editFile (CFG-20)", () => {
  it("makes a new file for its owner alone, and the folders above it", async () => {
    rmSync(path.dirname(file), { recursive: true });
    expect(await editFile(file, locks, async (before) => `${before}new`)).toBe(true);
    expect(text()).toBe("new");
    expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it.each([[0o600], [0o640], [0o666]])("keeps the mode %o of the file", async (mode) => {
    writeFileSync(file, "old");
    chmodSync(file, mode);
    await editFile(file, locks, async () => "new");
    expect([text(), statSync(file).mode & 0o777]).toEqual(["new", mode]);
  });

  it("writes through a link to the file it points at", async () => {
    const real = path.join(base, "dotfiles.toml");
    writeFileSync(real, "old");
    symlinkSync(real, file);
    await editFile(file, locks, async () => "new");
    expect([lstatSync(file).isSymbolicLink(), readFileSync(real, "utf8")]).toEqual([true, "new"]);
  });

  it("touches nothing when the text stays", async () => {
    writeFileSync(file, "old");
    const { ino } = statSync(file);
    expect(await editFile(file, locks, async (before) => before)).toBe(false);
    expect(statSync(file).ino).toBe(ino);
  });

  it("begins anew when another program wrote the file meanwhile, so both edits are in it (T-CFG-1)", async () => {
    writeFileSync(file, "a\n");
    const seen: string[] = [];
    await editFile(file, locks, async (before) => {
      seen.push(before);
      if (seen.length === 1) writeFileSync(file, "a\nb\n");
      return `${before}mine\n`;
    });
    expect([seen, text()]).toEqual([["a\n", "a\nb\n"], "a\nb\nmine\n"]);
  });

  it("doesn't write over a file that came while it made a new one", async () => {
    await editFile(file, locks, async (before) => {
      if (before === "") writeFileSync(file, "theirs\n");
      return `${before}mine\n`;
    });
    expect(text()).toBe("theirs\nmine\n");
  });

  it("gives up on a file that keeps changing, and leaves it as the others wrote it", async () => {
    let count = 0;
    const edit = async (): Promise<string> => {
      writeFileSync(file, `theirs ${++count}`);
      return "mine";
    };
    await expect(editFile(file, locks, edit)).rejects.toThrow("keeps changing");
    expect(text()).toBe(`theirs ${count}`);
  });

  it("leaves the file and nothing beside it when the edit fails, and the lock free", async () => {
    writeFileSync(file, "old");
    await expect(editFile(file, locks, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect([text(), readdirSync(path.dirname(file))]).toEqual(["old", ["it.toml"]]);
    expect(await editFile(file, locks, async () => "new")).toBe(true);
  });
});
