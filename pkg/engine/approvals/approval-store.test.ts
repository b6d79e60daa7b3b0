// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { isReason } from "@blitz/api";
import { afterEach, describe, expect, it } from "vitest";
import { openApprovalStore } from "./approval-store.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const fileIn = (...parts: string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), "blitz-answers-"));
  folders.push(folder);
  return join(folder, ...parts, "approvals.json");
};
const answer = (key: string) => ({ key, label: `label of ${key}`, added: "2026-01-05T00:00:00.000Z" });

describe("openApprovalStore", () => {
  it("starts empty without a file and saves sorted, for its owner alone (APR-20)", async () => {
    const file = fileIn("home");
    const store = await openApprovalStore({ file });
    expect(store.list()).toEqual([]);
    await store.add(answer("web:b"));
    await store.add(answer("cmd:/w\0ls"));
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      version: 1,
      rules: [answer("cmd:/w\0ls"), answer("web:b")],
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
    const again = await openApprovalStore({ file });
    expect([again.has("web:b"), again.has("web:c")]).toEqual([true, false]);
  });

  it.each([
    ["no JSON", "{"],
    ["another version", '{"version":2,"rules":[]}'],
    ["no rules", '{"version":1}'],
    ["a rule without a key", '{"version":1,"rules":[{"label":"x","added":"y"}]}'],
  ])("refuses a file with %s, names it and leaves it alone (APR-20)", async (_name, text) => {
    const file = fileIn();
    writeFileSync(file, text);
    const error: unknown = await openApprovalStore({ file }).catch((reason: unknown) => reason);
    expect(isReason(error, "CONFIG_INVALID") && error.message.includes(file)).toBe(true);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("doesn't overwrite a file that became unreadable since (APR-20)", async () => {
    const file = fileIn();
    const store = await openApprovalStore({ file });
    writeFileSync(file, "garbage");
    await expect(store.add(answer("a"))).rejects.toThrow(file);
    expect(readFileSync(file, "utf8")).toBe("garbage");
    expect(store.has("a")).toBe(false);
  });

  it("keeps what another store saved, and removes only what was asked (APR-20)", async () => {
    const file = fileIn();
    const [one, two] = [await openApprovalStore({ file }), await openApprovalStore({ file })];
    await Promise.all([one.add(answer("a")), two.add(answer("b")), one.add(answer("c"))]);
    expect(await two.remove(["a", "unknown"])).toBe(1);
    expect((await openApprovalStore({ file })).list().map(({ key }) => key)).toEqual(["b", "c"]);
  });

  it("loses nothing when processes save at once (APR-20)", async () => {
    const file = fileIn();
    const folder = join(file, "..");
    const loader = join(folder, "hooks.mjs");
    writeFileSync(
      loader,
      `import { registerHooks } from "node:module"; registerHooks({ resolve: (s, c, next) => { try { return next(s, c); } catch (e) { if (s.endsWith(".js")) return next(s.slice(0, -3) + ".ts", c); throw e; } } });`,
    );
    const program = join(folder, "writer.mjs");
    writeFileSync(
      program,
      `import { openApprovalStore } from ${JSON.stringify(join(import.meta.dirname, `approval-store${extname(import.meta.filename)}`))};
       const store = await openApprovalStore({ file: ${JSON.stringify(file)} });
       for (let i = 0; i < 15; i++) await store.add({ key: process.argv[2] + i, label: "", added: "" });`,
    );
    const run = (name: string): Promise<number | null> =>
      new Promise((resolve) => {
        const args = [
          ...(import.meta.filename.endsWith(".ts") ? ["--conditions=blitz-source"] : []),
          "--import",
          loader,
          program,
          name,
        ];
        spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] }).on("exit", resolve);
      });
    expect(await Promise.all([run("a"), run("b"), run("c")])).toEqual([0, 0, 0]);
    expect((await openApprovalStore({ file })).list()).toHaveLength(45);
  });
});
