// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createBlockedScan } from "./blocked-scan.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder with these files; a trailing slash makes a directory, `a -> b` a link. */
function tree(...entries: string[]): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "blitz-scan-")));
  folders.push(dir);
  for (const entry of entries) {
    const [name = "", target] = entry.split(" -> ");
    mkdirSync(join(dir, name.endsWith("/") ? name : dirname(name)), { recursive: true });
    if (target !== undefined) symlinkSync(target, join(dir, name));
    else if (!name.endsWith("/")) writeFileSync(join(dir, name), "");
  }
  return dir;
}

const never = new AbortController().signal;
async function found(
  dir: string,
  patterns: readonly string[],
  roots: readonly string[] = [dir],
): Promise<Record<string, readonly string[]>> {
  const { files, dirs, pinned } = await createBlockedScan({ home: dir, patterns }).scan(roots, never);
  const local = (paths: readonly string[]): readonly string[] => paths.map((path) => path.replace(`${dir}/`, ""));
  return { files: local(files), dirs: local(dirs), pinned: local(pinned) };
}

describe("createBlockedScan", () => {
  it.each<[string, readonly string[], readonly string[], readonly string[], readonly string[], readonly string[]]>([
    ["a name at any depth", [".env", "a/.env", "a/b.env"], [".env"], [".env", "a/.env"], [], []],
    ["a name with wildcards, sorted", ["z.pem", "a/.k.pem", "pem"], ["*.pem"], ["a/.k.pem", "z.pem"], [], []],
    ["a directory of that name, not what is in it", ["keys/a", "x/keys/keys"], ["keys/"], [], ["keys", "x/keys"], []],
    ["a place below every root", ["a/b/c", "b/c"], ["a/b"], [], ["a/b"], ["a"]],
    [
      "a place in the home, with wildcards",
      ["k/a.key", "k/b.key", "k/c"],
      ["~/k/*.key"],
      ["k/a.key", "k/b.key"],
      [],
      ["k"],
    ],
    ["nothing that isn't there", ["a"], [".env", "x/y", "~/z", "/nowhere/*"], [], [], []],
    ["what a link leads to", [".env -> conf/real", "conf/real"], [".env"], ["conf/real"], [], ["conf"]],
    [
      "no link that leads nowhere or to the system",
      ["a.env -> /nowhere", "b.env -> /usr", "c.env -> /"],
      ["*.env"],
      [],
      [],
      [],
    ],
    ["no link that leads above a root", ["a.env -> ..", "b.env -> ."], ["*.env"], [], [], []],
    ["nothing inside dependency folders", ["node_modules/.env", ".git/.env", "x/vendor/.env"], [".env"], [], [], []],
    ["such a folder itself", ["node_modules/x"], ["node_modules"], [], ["node_modules"], []],
    [
      "names with characters of patterns",
      ["a [1]/.env", "a [1]/k"],
      [".env", "a \\[1\\]/k"],
      ["a [1]/.env", "a [1]/k"],
      [],
      ["a [1]"],
    ],
  ])("finds %s (SH-24)", async (_name, entries, patterns, files, dirs, pinned) => {
    expect(await found(tree(...entries), patterns)).toEqual({ files, dirs, pinned });
  });

  it("looks in every root once, deep in the first", async () => {
    const dir = tree("a/.env", "b/.env", "c/.env");
    expect((await found(dir, [".env"], [join(dir, "a"), join(dir, "b")]))["files"]).toEqual(["a/.env", "b/.env"]);
  });

  it("passes over what can't be read", async () => {
    const dir = tree("closed/.env", ".env");
    chmodSync(join(dir, "closed"), 0);
    expect((await found(dir, [".env"]))["files"]).toContain(".env");
    chmodSync(join(dir, "closed"), 0o700);
  });

  it("says when it reached its limit of depth (SH-24)", async () => {
    const deep = `${"d/".repeat(14)}.env`;
    const scan = (dir: string) => createBlockedScan({ home: dir, patterns: [".env"] }).scan([dir], never);
    expect(await scan(tree(deep))).toMatchObject({ files: [], isIncomplete: true });
    expect(await scan(tree("d/.env"))).toMatchObject({ isIncomplete: false });
  });

  it("stops when the turn is cancelled (SH-24a)", async () => {
    const dir = tree(...Array.from({ length: 300 }, (_unused, i) => `f${i}`));
    const reason = new Error("cancelled");
    const scan = createBlockedScan({ home: dir, patterns: [".env"] });
    await expect(scan.scan([dir], AbortSignal.abort(reason))).rejects.toBe(reason);
    const turn = new AbortController();
    for (let i = 0; i < 12; i++) for (let j = 0; j < 120; j++) addFile(dir, `d${i}/f${j}`);
    const running = scan.scan([dir], turn.signal);
    turn.abort(reason);
    await expect(running).rejects.toBe(reason);
    addFile(dir, "d7/.env");
    expect((await scan.scan([dir], never)).files).toEqual([join(dir, "d7/.env")]);
  });

  it("finds, remembering what it read, what a first scan finds (SH-24a)", async () => {
    const dir = tree("a/b/c/.env", "a/x", "keys/k", "d/.env", "node_modules/.env");
    const kept = createBlockedScan({ home: dir, patterns: [".env", "keys", "~/d/place"] });
    const changes: readonly (() => void)[] = [
      () => {},
      () => addFile(dir, "a/.env"), // the same second
      () => renameSync(join(dir, "a/b"), join(dir, "a/z")),
      () => rmSync(join(dir, "d/.env")),
      () => addFile(dir, "d/place/deep/.env"),
      () => rmSync(join(dir, "a"), { recursive: true }),
      () => addFile(dir, "a"),
      () => symlinkSync("d", join(dir, "keys2")),
      () => renameSync(join(dir, "keys"), join(dir, "other")),
      () => addFile(dir, "other/.env"),
    ];
    for (const change of changes) {
      change();
      for (const isOld of [false, true]) {
        // Old enough for its time to be trusted: what was read stays in use.
        if (isOld) for (const path of foldersIn(dir)) utimesSync(path, 1, 1 + Math.floor(Math.random() * 1e6));
        const fresh = createBlockedScan({ home: dir, patterns: [".env", "keys", "~/d/place"] });
        expect(await kept.scan([dir], never)).toEqual(await fresh.scan([dir], never));
        expect(await kept.scan([dir], never)).toEqual(await fresh.scan([dir], never));
      }
    }
  });

  it("stops at its limit of entries and says so (SH-24)", async () => {
    const dir = tree(".env", ...Array.from({ length: 60 }, (_unused, i) => `d${i % 6}/${i}/`));
    const scan = createBlockedScan({ home: dir, patterns: [".env"], maxEntries: 50 });
    for (let i = 0; i < 2; i++) {
      expect(await scan.scan([dir], never)).toMatchObject({ files: [join(dir, ".env")], isIncomplete: true });
    }
  });
});

function addFile(dir: string, name: string): void {
  mkdirSync(join(dir, dirname(name)), { recursive: true });
  writeFileSync(join(dir, name), "");
}

function foldersIn(dir: string): readonly string[] {
  const below = readdirSync(dir, { withFileTypes: true, recursive: true }).filter((entry) => entry.isDirectory());
  return [dir, ...below.map((entry) => join(entry.parentPath, entry.name))];
}
