// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isReason } from "@blitz/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Files, openFiles } from "../files/index.js";
import { mintStanding } from "../grant/mint/index.js";
import { type Checkpoints, type CheckpointsOptions, openCheckpoints } from "./index.js";

const DAY_MS = 24 * 60 * 60 * 1000;
const WRITE = mintStanding("write_file");
const DELETE = mintStanding("delete_file");

let top: string;
let workspace: string;
let now: number;
let warnings: string[];

beforeEach(async () => {
  top = await realpath(await mkdtemp(path.join(tmpdir(), "checkpoints-")));
  workspace = path.join(top, "ws");
  await mkdir(workspace);
  now = Date.UTC(2026, 0, 1);
  warnings = [];
});
afterEach(() => rm(top, { recursive: true, force: true }));

interface Opened {
  readonly checkpoints: Checkpoints;
  readonly files: Files;
  /** Writes as a tool of a session does. */
  readonly write: (session: string, name: string, text: string) => Promise<void>;
  readonly remove: (session: string, name: string) => Promise<void>;
  readonly begin: (session: string, prompt: number, label?: string) => Promise<void>;
}

async function open(more: Partial<CheckpointsOptions> = {}): Promise<Opened> {
  const checkpoints = await openCheckpoints({
    dir: path.join(top, "kept"),
    workspace,
    limits: { maxBytes: 1_000_000, maxAgeDays: 30 },
    clock: () => now,
    warn: (text) => void warnings.push(text),
    ...more,
  });
  const files = await openFiles({
    roots: { workspace, writable: [], readOnly: [] },
    blocked: [],
    home: top,
    maxFileBytes: 10_000_000,
    beforeWrite: checkpoints.beforeWrite,
  });
  const current = async (name: string): Promise<Buffer | undefined> => {
    const read = await files.read(name);
    return read.ok ? read.bytes : undefined;
  };
  const by = (session: string): { sessionId: string; turnId: string } => ({ sessionId: session, turnId: "t" });
  return {
    checkpoints,
    files,
    write: async (session, name, text) => {
      const change = { path: name, bytes: Buffer.from(text), expect: await current(name), by: by(session) };
      expect(await files.write(WRITE, change)).toEqual({ ok: true });
    },
    remove: async (session, name) => {
      expect(await files.remove(DELETE, { path: name, expect: await current(name), by: by(session) })).toEqual({
        ok: true,
      });
    },
    begin: (session, prompt, label = `prompt ${prompt}`) =>
      checkpoints.begin({ session, turn: `${session}-${prompt}`, prompt, label }),
  };
}

const at = (name: string): string => path.join(workspace, name);
const text = (name: string): Promise<string | undefined> => readFile(at(name), "utf8").catch(() => undefined);
const put = async (name: string, content: string): Promise<void> => {
  await mkdir(path.dirname(at(name)), { recursive: true });
  await writeFile(at(name), content);
};
const folder = async (): Promise<string> => path.join(top, "kept", (await readdir(path.join(top, "kept")))[0] ?? "");
const blobs = async (): Promise<string[]> => await readdir(path.join(await folder(), "blobs"));

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => "done",
    (error: unknown) => error,
  );
}

describe("undo", () => {
  it("puts back what a prompt changed, removes what it made, and leaves all else (FS-63, T-EDIT-7)", async () => {
    await put("b.txt", "before\n");
    await put("gone.txt", "still here\n");
    const opened = await open();
    await opened.begin("s", 0, "make\n  things");
    await opened.write("s", "new/a.txt", "a");
    await opened.write("s", "b.txt", "once\n");
    await opened.write("s", "b.txt", "twice\n");
    await opened.remove("s", "gone.txt");
    await put("user.txt", "mine");
    expect(opened.checkpoints.list()).toEqual([
      { id: "1", label: "make things", time: new Date(now), files: ["b.txt", "gone.txt", "new/a.txt"] },
    ]);
    expect(await opened.checkpoints.undo(false)).toEqual({
      label: "make things",
      restored: ["b.txt", "gone.txt", "new/a.txt"],
    });
    expect(await Promise.all(["b.txt", "gone.txt", "new/a.txt", "user.txt"].map(text))).toEqual([
      "before\n",
      "still here\n",
      undefined,
      "mine",
    ]);
    expect(opened.checkpoints.list()).toEqual([]);
  });

  it("goes back prompt by prompt until nothing is left, and no content is kept then (FS-63)", async () => {
    const { checkpoints, begin, write } = await open();
    await begin("s", 0);
    await write("s", "a.txt", "one");
    await begin("s", 2);
    await write("s", "a.txt", "two");
    expect((await checkpoints.undo(false)).label).toBe("prompt 2");
    expect(await text("a.txt")).toBe("one");
    expect((await checkpoints.undo(false)).label).toBe("prompt 0");
    expect(await text("a.txt")).toBeUndefined();
    expect(isReason(await reasonOf(checkpoints.undo(false)), "NOTHING_TO_UNDO")).toBe(true);
    expect(await blobs()).toEqual([]);
  });

  it("restores modes, and a linked file through its link (T-EDIT-3)", async () => {
    await put("run.sh", "#!/bin/sh\n");
    await chmod(at("run.sh"), 0o755);
    await put("real.txt", "real\n");
    await chmod(at("real.txt"), 0o600);
    await symlink("real.txt", at("link.txt"));
    const { checkpoints, begin, write } = await open();
    await begin("s", 0);
    await write("s", "run.sh", "changed\n");
    await write("s", "link.txt", "changed\n");
    await chmod(at("run.sh"), 0o644);
    await checkpoints.undo(false);
    expect([(await stat(at("run.sh"))).mode & 0o777, (await stat(at("real.txt"))).mode & 0o777]).toEqual([
      0o755, 0o600,
    ]);
    expect((await lstat(at("link.txt"))).isSymbolicLink()).toBe(true);
    expect(await text("real.txt")).toBe("real\n");
  });

  it.each([
    ["edited", () => put("b.txt", "mine now\n")],
    ["removed", () => unlink(at("b.txt"))],
    ["replaced by a link", async () => (await unlink(at("b.txt")), await symlink("a.txt", at("b.txt")))],
    ["replaced by a folder", async () => (await unlink(at("b.txt")), await mkdir(at("b.txt")))],
  ])("touches nothing when one file was %s since (UNDO_CONFLICT, FS-63)", async (_name, meddle) => {
    await put("a.txt", "a before\n");
    await put("b.txt", "b before\n");
    const { checkpoints, begin, write } = await open();
    await begin("s", 0);
    await write("s", "a.txt", "a after\n");
    await write("s", "b.txt", "b after\n");
    await meddle();
    const error = await reasonOf(checkpoints.undo(false));
    expect(isReason(error, "UNDO_CONFLICT") && error.metadata).toEqual({ files: "b.txt" });
    expect(await text("a.txt")).toBe("a after\n");
    expect(checkpoints.list()).toHaveLength(1);
  });

  it("restores a file changed since when forced", async () => {
    await put("b.txt", "before\n");
    const { checkpoints, begin, write } = await open();
    await begin("s", 0);
    await write("s", "b.txt", "after\n");
    await put("b.txt", "mine\n");
    expect(await checkpoints.undo(true)).toEqual({ label: "prompt 0", restored: ["b.txt"] });
    expect(await text("b.txt")).toBe("before\n");
  });

  it("never removes through a folder that became a link (FS-90)", async () => {
    const outside = path.join(top, "outside");
    await mkdir(outside);
    await writeFile(path.join(outside, "n.txt"), "precious");
    const { checkpoints, begin, write } = await open();
    await begin("s", 0);
    await write("s", "d/n.txt", "made");
    await rm(at("d"), { recursive: true });
    await symlink(outside, at("d"));
    const { restored, error } = await checkpoints.undo(true);
    expect({ restored, message: error?.message }).toEqual({
      restored: [],
      message: "d/n.txt could not be restored: its folder is now a link",
    });
    expect(await readFile(path.join(outside, "n.txt"), "utf8")).toBe("precious");
  });

  it("says how far it came and keeps the rest on record when a restore stops part-way (FS-63)", async () => {
    await put("a.txt", "a before\n");
    const { checkpoints, begin, write } = await open();
    await begin("s", 0);
    await write("s", "a.txt", "a after\n");
    await write("s", "z.txt", "made\n");
    await unlink(at("z.txt"));
    await mkdir(at("z.txt"));
    const { restored, error } = await checkpoints.undo(true);
    expect(restored).toEqual(["a.txt"]);
    expect(error?.message).toMatch(/^z\.txt could not be restored/);
    expect(checkpoints.list().map((one) => one.files)).toEqual([["z.txt"]]);
  });

  it("names a file too large to keep, and with force restores the others (FS-62)", async () => {
    await put("big.txt", "x".repeat(200));
    await put("small.txt", "small");
    const { checkpoints, begin, write } = await open({ limits: { maxBytes: 100, maxAgeDays: 30 } });
    await begin("s", 0);
    await write("s", "big.txt", "y");
    await write("s", "small.txt", "y");
    const error = await reasonOf(checkpoints.undo(false));
    expect(isReason(error, "UNDO_CONFLICT") && error.metadata).toEqual({ files: "big.txt" });
    expect(await checkpoints.sessionDiff("s")).toContain("# big.txt: too large to diff\n");
    const forced = await checkpoints.undo(true);
    expect(forced.restored).toEqual(["small.txt"]);
    expect(isReason(forced.error, "UNDO_CONFLICT") && forced.error.metadata).toEqual({ files: "big.txt" });
    expect([await text("big.txt"), await text("small.txt")]).toEqual(["y", "small"]);
  });

  it("brings back a removed link as a link, also where a file is now (FS-63, T-EDIT-3)", async () => {
    await put("real.txt", "real\n");
    await symlink("real.txt", at("link"));
    await symlink("gone", at("d-link"));
    const first = await open();
    await first.begin("s", 0);
    for (const name of ["link", "d-link"]) {
      const link = await first.files.locateLink(name);
      if (link?.ok !== true) throw new Error("no link");
      expect(await first.files.removeLink(DELETE, link, { sessionId: "s", turnId: "t" })).toEqual({ ok: true });
    }
    await first.write("s", "d-link", "gone");
    await chmod(at("d-link"), 0o777);
    expect(await first.checkpoints.sessionDiff("s")).toContain("# link: was a link to real.txt\n");
    await first.checkpoints.close();
    const { checkpoints } = await open();
    expect((await checkpoints.undo(false)).restored).toEqual(["d-link", "link"]);
    expect([await readlink(at("link")), await readlink(at("d-link")), await text("real.txt")]).toEqual([
      "real.txt",
      "gone",
      "real\n",
    ]);
  });

  it("goes on to earlier prompts after a forced undo that couldn't restore all (FS-63, FS-104)", async () => {
    await put("big.txt", "x".repeat(200));
    const { checkpoints, begin, write } = await open({ limits: { maxBytes: 100, maxAgeDays: 30 } });
    await begin("s", 0);
    await write("s", "a.txt", "made");
    await begin("s", 2);
    await write("s", "big.txt", "y");
    const forced = await checkpoints.undo(true);
    expect(forced).toMatchObject({ label: "prompt 2", restored: [] });
    expect(forced.error?.message).toContain("not kept: big.txt");
    expect(checkpoints.list().map(({ label }) => label)).toEqual(["prompt 0"]);
    expect(await checkpoints.undo(false)).toEqual({ label: "prompt 0", restored: ["a.txt"] });
    expect([await text("big.txt"), await text("a.txt")]).toEqual(["y", undefined]);
  });

  it("runs two undos one after the other", async () => {
    const { checkpoints, begin, write } = await open();
    for (const prompt of [0, 2]) {
      await begin("s", prompt);
      await write("s", "a.txt", `after ${prompt}`);
    }
    const both = await Promise.all([checkpoints.undo(false), checkpoints.undo(false)]);
    expect(both.map((one) => one.label)).toEqual(["prompt 2", "prompt 0"]);
    expect(await text("a.txt")).toBeUndefined();
  });
});

describe("turns", () => {
  it("gives a change to the latest turn of the session that makes it (FS-60a)", async () => {
    const { checkpoints, begin, write } = await open();
    await begin("one", 0, "first");
    await begin("two", 0, "second");
    await write("one", "a.txt", "a");
    await write("two", "b.txt", "b");
    expect(checkpoints.list().map(({ label, files }) => [label, files])).toEqual([
      ["second", ["b.txt"]],
      ["first", ["a.txt"]],
    ]);
  });

  it("uses an empty last turn of the same session again, never another session's (FS-60)", async () => {
    const { checkpoints, begin, write } = await open();
    await begin("one", 0);
    await begin("one", 2, "x".repeat(100));
    await begin("two", 0);
    await write("one", "a.txt", "a");
    await write("two", "b.txt", "b");
    expect(checkpoints.list().map(({ id, label }) => [id, label])).toEqual([
      ["2", "prompt 0"],
      ["1", "x".repeat(60)],
    ]);
  });

  it("puts changes outside a turn under a name of their own (FS-60)", async () => {
    const { checkpoints, write } = await open();
    await write("s", "a.txt", "a");
    expect(checkpoints.list().map(({ label }) => label)).toEqual(["(no prompt)"]);
  });

  it("drops the entry of a change that failed (FS-23)", async () => {
    const { checkpoints, begin } = await open();
    await begin("s", 0);
    const change = {
      by: { sessionId: "s", turnId: "t" },
      real: at("a.txt"),
      display: "a.txt",
      before: { exists: false },
    } as const;
    await (await checkpoints.beforeWrite(change)).drop();
    expect(checkpoints.list()).toEqual([]);
    await (await checkpoints.beforeWrite(change)).done(Buffer.from("a"));
    await (await checkpoints.beforeWrite(change)).drop();
    expect(checkpoints.list().map(({ files }) => files)).toEqual([["a.txt"]]);
  });
});

describe("a change taken back by the tool itself", () => {
  it("leaves nothing to undo, whether it made, changed or removed a file (FS-54, T-EDIT-4)", async () => {
    await put("a.txt", "before");
    await put("gone.txt", "still here");
    await chmod(at("gone.txt"), 0o755);
    const { checkpoints, files, begin, write, remove } = await open();
    await begin("s", 0);
    const states = await Promise.all(["a.txt", "gone.txt"].map((name) => files.read(name)));
    await write("s", "a.txt", "after");
    await write("s", "new.txt", "made");
    await remove("s", "gone.txt");
    const by = { sessionId: "s", turnId: "t" };
    for (const [name, state] of [
      ["a.txt", states[0]],
      ["gone.txt", states[1]],
      ["new.txt", undefined],
    ] as const) {
      expect(await files.restore(name === "gone.txt" ? DELETE : WRITE, name, state?.ok ? state : undefined, by)).toBe(
        true,
      );
    }
    expect(checkpoints.list()).toEqual([]);
    expect(await Promise.all(["a.txt", "gone.txt", "new.txt"].map(text))).toEqual(["before", "still here", undefined]);
    expect((await stat(at("gone.txt"))).mode & 0o777).toBe(0o755);
  });
});

describe("sessionDiff", () => {
  it("goes from before the session's first change to now (FS-65)", async () => {
    await put("a.txt", "one\n");
    await put("other.txt", "o\n");
    const { checkpoints, begin, write } = await open();
    await begin("s", 0);
    await write("s", "a.txt", "two\n");
    await begin("s", 2);
    await write("s", "a.txt", "three\n");
    await begin("t", 0);
    await write("t", "other.txt", "p\n");
    await put("a.txt", "four\n");
    expect(await checkpoints.sessionDiff("s")).toMatchInlineSnapshot(`
      "--- a/a.txt
      +++ b/a.txt
      @@ -1,1 +1,1 @@
      -one
      +four
      "
    `);
    expect(await checkpoints.sessionDiff("")).toMatch(/a\/a\.txt[^]*a\/other\.txt/);
    expect(await checkpoints.sessionDiff("none")).toBe("");
  });

  it("shows files made and files no longer readable", async () => {
    const { checkpoints, begin, write } = await open();
    await begin("s", 0);
    await write("s", "a.txt", "a\n");
    await write("s", "b.txt", "b\n");
    await unlink(at("b.txt"));
    await mkdir(at("b.txt"));
    const diff = await checkpoints.sessionDiff("s");
    expect(diff).toContain("--- /dev/null\n+++ b/a.txt");
    expect(diff).toContain("# b.txt: is not a readable file now\n");
  });
});

describe("rewind", () => {
  it("takes back a session's prompts from one on, as one operation, and no other session's (FS-68)", async () => {
    await put("a.txt", "zero\n");
    const { checkpoints, begin, write } = await open();
    for (const prompt of [0, 2, 4]) {
      await begin("s", prompt);
      await write("s", "a.txt", `after ${prompt}\n`);
    }
    await begin("t", 2);
    await write("t", "t.txt", "t");
    expect(await checkpoints.rewind("s", 2, false)).toEqual({ label: "prompt 2", restored: ["a.txt"] });
    expect([await text("a.txt"), await text("t.txt")]).toEqual(["after 0\n", "t"]);
    expect(isReason(await reasonOf(checkpoints.rewind("s", 2, false)), "NOTHING_TO_UNDO")).toBe(true);
  });

  it("checks every file before it touches one (FS-68)", async () => {
    const { checkpoints, begin, write } = await open();
    await begin("s", 0);
    await write("s", "a.txt", "a");
    await begin("s", 2);
    await write("s", "b.txt", "b");
    await put("b.txt", "mine");
    expect(isReason(await reasonOf(checkpoints.rewind("s", 0, false)), "UNDO_CONFLICT")).toBe(true);
    expect(await text("a.txt")).toBe("a");
  });

  it("leaves detached changes at the next rewind to the same place (FS-68)", async () => {
    const { checkpoints, begin, write } = await open();
    await begin("s", 2);
    await write("s", "kept.txt", "k");
    await checkpoints.detach("s", 2);
    await begin("s", 2);
    await write("s", "a.txt", "a");
    expect((await checkpoints.rewind("s", 2, false)).restored).toEqual(["a.txt"]);
    expect((await checkpoints.rewind("s", 1, false)).restored).toEqual(["kept.txt"]);
  });
});

describe("what is kept", () => {
  it("is for the owner alone, and outlives the process (FS-67)", async () => {
    await put("a.txt", "before");
    const first = await open();
    await first.begin("s", 0, "change it");
    await first.write("s", "a.txt", "after");
    const kept = await folder();
    const modeOf = async (one: string): Promise<number> => (await stat(one)).mode & 0o777;
    expect(await modeOf(kept)).toBe(0o700);
    expect(await modeOf(path.join(kept, "index.json"))).toBe(0o600);
    expect(await modeOf(path.join(kept, "blobs"))).toBe(0o700);
    for (const blob of await blobs()) expect(await modeOf(path.join(kept, "blobs", blob))).toBe(0o600);
    await first.checkpoints.close();
    await first.checkpoints.close();

    const second = await open();
    expect(await second.checkpoints.sessionDiff("s")).toContain("-before");
    expect(await second.checkpoints.undo(false)).toEqual({ label: "change it", restored: ["a.txt"] });
    expect(await text("a.txt")).toBe("before");
    expect(warnings).toEqual([]);
  });

  it("stays in memory without a folder", async () => {
    await put("a.txt", "before");
    const { checkpoints, begin, write } = await open({ dir: "" });
    await begin("s", 0);
    await write("s", "a.txt", "after");
    await checkpoints.undo(false);
    expect(await text("a.txt")).toBe("before");
    expect(await readdir(top)).toEqual(["ws"]);
  });

  it("falls back to memory with one warning when the folder can't be written (FS-67)", async () => {
    await writeFile(path.join(top, "kept"), "a file in the way");
    await put("a.txt", "before");
    const { checkpoints, begin, write } = await open();
    await begin("s", 0);
    await write("s", "a.txt", "after");
    await checkpoints.undo(false);
    expect(await text("a.txt")).toBe("before");
    expect(warnings).toEqual([
      expect.stringMatching(/^Checkpoints can't be saved, so undo lasts only until Blitz ends: /),
    ]);
  });

  it("goes on in memory when a save fails later (FS-67)", async () => {
    await put("a.txt", "before");
    const { checkpoints, begin, write } = await open();
    await rm(path.join(await folder(), "blobs"), { recursive: true });
    await writeFile(path.join(await folder(), "blobs"), "a file in the way");
    await begin("s", 0);
    await write("s", "a.txt", "after");
    expect(warnings).toHaveLength(1);
    await checkpoints.undo(false);
    expect(await text("a.txt")).toBe("before");
  });

  it.each([
    ["isn't JSON", "{"],
    ["is of another version", '{"version":2,"next_id":1,"turns":[]}'],
    [
      "names a content that is a path",
      `{"version":1,"next_id":2,"turns":[{"id":1,"session":"s","prompt":0,"label":"","started":0,"changes":[{"abs":"/a","display":"a","before":{"exists":true,"hash":"../../x"},"after_exists":true,"after_hash":""}]}]}`,
    ],
    ["has a turn that isn't one", '{"version":1,"next_id":1,"turns":[{"id":1}]}'],
  ])("starts empty with a warning, the old kept aside, when the index %s (FS-67)", async (_name, content) => {
    const first = await open();
    await first.begin("s", 0);
    await first.write("s", "a.txt", "a");
    await writeFile(path.join(await folder(), "index.json"), content);
    const { checkpoints } = await open();
    expect(checkpoints.list()).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(await readFile(path.join(await folder(), "index.json.damaged"), "utf8")).toBe(content);
  });

  it.each([
    ["is missing", (blob: string) => unlink(blob)],
    ["was changed", (blob: string) => writeFile(blob, "forged")],
  ])("can't be restored when the content %s (FS-67)", async (_name, damage) => {
    await put("a.txt", "before");
    const first = await open();
    await first.begin("s", 0);
    await first.write("s", "a.txt", "after");
    await damage(path.join(await folder(), "blobs", (await blobs())[0] ?? ""));
    const { checkpoints } = await open();
    expect(isReason(await reasonOf(checkpoints.undo(false)), "UNDO_CONFLICT")).toBe(true);
    expect(await text("a.txt")).toBe("after");
    expect(await checkpoints.sessionDiff("s")).toBe("# a.txt: what it was before is not kept any more\n");
  });

  it("loses contents nothing refers to at the next open (FS-67)", async () => {
    await put("a.txt", "before");
    const first = await open();
    await first.begin("s", 0);
    await first.write("s", "a.txt", "after");
    await writeFile(path.join(await folder(), "blobs", "f".repeat(64)), "orphan");
    await open();
    expect(await blobs()).toHaveLength(1);
  });

  it("drops the oldest prompts over the size limit, says so, and never the latest (FS-62)", async () => {
    for (const name of ["a", "b", "c"]) await put(name, name.repeat(40));
    const { checkpoints, begin, write } = await open({ limits: { maxBytes: 100, maxAgeDays: 30 } });
    for (const [prompt, name] of ["a", "b", "c"].entries()) {
      await begin("s", prompt);
      await write("s", name, "changed");
    }
    expect(checkpoints.list().map(({ label }) => label)).toEqual(["prompt 2", "prompt 1"]);
    expect(warnings).toEqual(["1 older checkpoint(s) were dropped: over [checkpoints] max_bytes or max_age_days."]);
    expect(await blobs()).toHaveLength(2);
    await begin("s", 4);
    for (const name of ["d", "e", "f"]) await put(name, name.repeat(90));
    for (const name of ["d", "e", "f"]) await write("s", name, "changed");
    await begin("t", 0);
    expect(checkpoints.list().map(({ label }) => label)).toEqual(["prompt 4"]);
  });

  it("drops prompts over the age limit at open; one of the future counts as new (FS-62)", async () => {
    const first = await open();
    for (const [prompt, days] of [-40, -10, 400, -50].entries()) {
      now = Date.UTC(2026, 0, 1) + days * DAY_MS;
      await first.begin("s", prompt);
      await first.write("s", `${prompt}.txt`, "x");
    }
    now = Date.UTC(2026, 0, 1);
    const { checkpoints } = await open();
    expect(checkpoints.list().map(({ label }) => label)).toEqual(["prompt 3", "prompt 2", "prompt 1"]);
  });

  it("keeps workspaces apart", async () => {
    const { begin, write } = await open();
    await begin("s", 0);
    await write("s", "a.txt", "a");
    const other = await open({ workspace: path.join(top, "other") });
    expect(other.checkpoints.list()).toEqual([]);
  });
});
