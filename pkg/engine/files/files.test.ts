// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Action, Grant } from "../grant/index.js";
import { mintGrant } from "../grant/mint/index.js";
import {
  controlReason,
  createPauses,
  decodeText,
  encodeText,
  type Files,
  type FilesOptions,
  openFiles,
  sortWithPauses,
  type WalkEntry,
} from "./index.js";

let base: string;
let ws: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "blitz-files-")));
  ws = path.join(base, "ws");
  for (const dir of ["ws", "ws/sub", "out", "ws-evil", "ro", "home"]) mkdirSync(path.join(base, dir));
  writeFileSync(path.join(base, "out", "secret.txt"), "CANARY");
  writeFileSync(path.join(base, "ws-evil", "x.txt"), "CANARY");
  writeFileSync(path.join(base, "ro", "r.txt"), "r");
  writeFileSync(path.join(ws, "a.txt"), "hello\n");
  writeFileSync(path.join(ws, ".env"), "KEY=CANARY");
  writeFileSync(path.join(ws, "sub", "real.md"), "in");
  const links = {
    "notes.md": "../out/secret.txt",
    dir: "../out",
    "draft.md": "../out/new.txt",
    "in.md": "sub/real.md",
    "env.txt": ".env",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(ws, name));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const open = (more: Partial<FilesOptions> = {}): Promise<Files> =>
  openFiles({
    roots: { workspace: ws, writable: [], readOnly: [path.join(base, "ro")] },
    blocked: [".env", "*.pem", "~/.ssh"],
    home: path.join(base, "home"),
    maxFileBytes: 1_000,
    ...more,
  });
const by = { sessionId: "s", turnId: "e-1" };
const grantFor = (target: string, kind: Action["kind"] = "write_file"): Grant => mintGrant([{ kind, target }]);
const codeOf = (result: { readonly ok: boolean; readonly code?: string }): string =>
  result.ok ? "ok" : (result.code ?? "?");

describe("paths", () => {
  it.each([
    ["a file", "a.txt", "ok", "ok"],
    ["an absolute path inside", () => path.join(ws, "a.txt"), "ok", "ok"],
    ["a link that stays inside", "in.md", "ok", "ok"],
    ["a climb out", "../out/secret.txt", "OUTSIDE_WORKSPACE", "OUTSIDE_WORKSPACE"],
    ["a sibling sharing the prefix", "../ws-evil/x.txt", "OUTSIDE_WORKSPACE", "OUTSIDE_WORKSPACE"],
    ["its absolute form", () => path.join(base, "ws-evil", "x.txt"), "OUTSIDE_WORKSPACE", "OUTSIDE_WORKSPACE"],
    ["a link out", "notes.md", "OUTSIDE_WORKSPACE", "OUTSIDE_WORKSPACE"],
    ["a file behind a folder link out", "dir/secret.txt", "OUTSIDE_WORKSPACE", "OUTSIDE_WORKSPACE"],
    ["a new file behind a folder link out", "dir/new.txt", "OUTSIDE_WORKSPACE", "OUTSIDE_WORKSPACE"],
    ["a dangling link out", "draft.md", "OUTSIDE_WORKSPACE", "OUTSIDE_WORKSPACE"],
    ["a blocked name", ".env", "BLOCKED_PATH", "BLOCKED_PATH"],
    ["a blocked name at any depth", "sub/deep/k.pem", "BLOCKED_PATH", "BLOCKED_PATH"],
    ["what lies beneath a blocked name", "sub/.env/x", "BLOCKED_PATH", "BLOCKED_PATH"],
    ["a link to a blocked file", "env.txt", "BLOCKED_PATH", "BLOCKED_PATH"],
    ["a read-only root", () => path.join(base, "ro", "r.txt"), "ok", "READ_ONLY_PATH"],
    ["an empty path", "", "BAD_PATH", "BAD_PATH"],
    ["a NUL", "a\0b", "BAD_PATH", "BAD_PATH"],
    ["the root itself", ".", "ok", "NOT_A_FILE"],
  ])("%s (FS-02…04, 41, T-EDIT-6)", async (_name, given, reading, writing) => {
    const files = await open();
    const name = typeof given === "string" ? given : given();
    expect([codeOf(await files.locate(name)), codeOf(await files.locateWritable(name))]).toEqual([reading, writing]);
  });

  it("reads the workspace by another spelling of its path (FS-03)", async () => {
    symlinkSync(ws, path.join(base, "link"));
    const files = await open();
    expect(await files.read(path.join(base, "link", "a.txt"))).toMatchObject({ ok: true, display: "a.txt" });
  });

  it("lets the deepest root decide (FS-03)", async () => {
    const files = await open({ roots: { workspace: ws, writable: [], readOnly: [path.join(ws, "sub")] } });
    expect(codeOf(await files.locateWritable("sub/real.md"))).toBe("READ_ONLY_PATH");
  });

  it.each(["sandbox.allowed_paths", "sandbox.read_only_paths"])(
    "refuses to open with a root of %s that isn't there (FS-01)",
    async (setting) => {
      const gone = [path.join(base, "gone")];
      const roots =
        setting === "sandbox.allowed_paths"
          ? { workspace: ws, writable: gone, readOnly: [] }
          : { workspace: ws, writable: [], readOnly: gone };
      await expect(open({ roots })).rejects.toThrow(setting);
    },
  );

  it("refuses a bad blocked pattern (FS-11)", async () => {
    await expect(open({ blocked: ['a"b'] })).rejects.toThrow("blocked path");
  });
});

describe("reading", () => {
  it.each([
    ["too large (FS-06)", "big", "TOO_LARGE"],
    ["a folder", "sub", "NOT_A_FILE"],
    ["not there", "gone.txt", "NOT_FOUND"],
  ])("refuses what is %s", async (_name, name, code) => {
    writeFileSync(path.join(ws, "big"), "x".repeat(1_001));
    expect(codeOf(await (await open()).read(name))).toBe(code);
  });

  it("walks in order, without blocked entries and without following links (FS-14)", async () => {
    const seen: string[] = [];
    const files = await open();
    for await (const entry of files.walk(ws, () => true, new AbortController().signal))
      seen.push(`${files.display(entry.real)}:${entry.kind}`);
    expect(seen).toEqual([
      "a.txt:file",
      "dir:link",
      "draft.md:link",
      "env.txt:link",
      "in.md:link",
      "notes.md:link",
      "sub:folder",
      "sub/real.md:file",
    ]);
  });
});

describe("writing", () => {
  const write = async (
    files: Files,
    name: string,
    text: string,
    expected: string | undefined,
    grant: Grant = grantFor(name),
  ) =>
    await files.write(grant, {
      path: name,
      bytes: Buffer.from(text),
      expect: expected === undefined ? undefined : Buffer.from(expected),
      by,
    });

  it("creates with 0644 and keeps the mode there is, whatever the umask (FS-20, T-EDIT-3)", async () => {
    const old = process.umask(0o077);
    try {
      const files = await open();
      chmodSync(path.join(ws, "a.txt"), 0o755);
      expect(await write(files, "new/deep.txt", "x", undefined)).toEqual({ ok: true });
      expect(await write(files, "a.txt", "y", "hello\n")).toEqual({ ok: true });
      expect([
        statSync(path.join(ws, "new/deep.txt")).mode & 0o777,
        statSync(path.join(ws, "a.txt")).mode & 0o777,
      ]).toEqual([0o644, 0o755]);
    } finally {
      process.umask(old);
    }
  });

  it("writes a linked file through its link (FS-20, T-EDIT-3)", async () => {
    expect(
      await (await open()).write(grantFor("sub/real.md"), {
        path: "in.md",
        bytes: Buffer.from("new"),
        expect: Buffer.from("in"),
        by,
      }),
    ).toEqual({ ok: true });
    expect(lstatSync(path.join(ws, "in.md")).isSymbolicLink()).toBe(true);
    expect(readFileSync(path.join(ws, "sub/real.md"), "utf8")).toBe("new");
  });

  it.each([
    ["without a grant", () => null as unknown as Grant],
    ["with a grant for another path", () => grantFor("b.txt")],
    ["with a grant of another kind", () => grantFor("a.txt", "delete_file")],
    ["with a forged grant", () => ({ allowed: [{ kind: "write_file", target: "a.txt" }] }) as unknown as Grant],
  ])("refuses to write %s", async (_name, grant) => {
    expect(codeOf(await write(await open(), "a.txt", "x", "hello\n", grant()))).toBe("NO_GRANT");
    expect(readFileSync(path.join(ws, "a.txt"), "utf8")).toBe("hello\n");
  });

  it.each([
    ["changed", () => writeFileSync(path.join(ws, "a.txt"), "edited"), "a.txt", "hello\n"],
    ["deleted", () => unlinkSync(path.join(ws, "a.txt")), "a.txt", "hello\n"],
    ["created", () => writeFileSync(path.join(ws, "n.txt"), "theirs"), "n.txt", undefined],
  ])("writes nothing when the file was %s since it was shown (FS-31)", async (_name, meanwhile, name, expected) => {
    const files = await open();
    meanwhile();
    expect(codeOf(await write(files, name, "mine", expected))).toBe("CHANGED");
    expect(readdirSync(ws).filter((one) => one.includes(".tmp-"))).toEqual([]);
  });

  it("keeps the original and nothing else when the write fails (FS-20)", async () => {
    const dropped: string[] = [];
    const files = await open({
      beforeWrite: async ({ display }) => {
        rmSync(path.join(ws, "sub"), { recursive: true });
        writeFileSync(path.join(ws, "sub"), "a file now");
        return { done: async () => undefined, drop: async () => void dropped.push(display) };
      },
    });
    expect((await write(files, "sub/new.txt", "x", undefined)).ok).toBe(false);
    expect(dropped).toEqual(["sub/new.txt"]);
  });

  it("tells what was there before, and what there is after (FS-23, FS-61)", async () => {
    const told: unknown[] = [];
    const files = await open({
      beforeWrite: async ({ display, before }) => {
        told.push([display, before.exists ? before.bytes.toString() : undefined]);
        return { done: async (after) => void told.push(after?.toString()), drop: async () => void told.push("drop") };
      },
    });
    await write(files, "a.txt", "two", "hello\n");
    await files.remove(grantFor("a.txt", "delete_file"), { path: "a.txt", expect: Buffer.from("two"), by });
    expect(told).toEqual([["a.txt", "hello\n"], "two", ["a.txt", "two"], undefined]);
    expect(existsSync(path.join(ws, "a.txt"))).toBe(false);
  });

  it("serialises work on one file and takes several locks in one order (FS-30)", async () => {
    const files = await open();
    const signal = new AbortController().signal;
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = files.hold(["b", "a"], signal, async () => {
      order.push("first");
      await gate.promise;
    });
    const abort = new AbortController();
    const waiting = files.hold(["a"], abort.signal, async () => void order.push("never"));
    const third = files.hold(["a", "b"], signal, async () => void order.push("third"));
    abort.abort(new Error("cancelled"));
    await expect(waiting).rejects.toThrow("cancelled");
    gate.resolve();
    await Promise.all([first, third]);
    expect(order).toEqual(["first", "third"]);
  });
});

describe("controlReason", () => {
  it.each([
    ".git/config",
    "sub/.git/hooks/x",
    ".blitz/settings.toml",
    ".blitz/settings.local.toml",
    ".mcp.json",
    ".vscode/tasks.json",
    ".envrc",
    ".husky/pre-commit",
    ".git",
    ".config/fish/config.fish",
    "dotfiles/fish/conf.d/x.fish",
    ".cshrc",
    ".tcshrc",
    ".kshrc",
    ".login",
    ".zlogout",
    ".gitconfig",
  ])("%s always asks (FS-102)", (name) => expect(controlReason(name)).toEqual(expect.any(String)));
  it.each([
    "a.txt",
    ".gitignore",
    ".blitz/plans/x.md",
    "git/config",
    ".vscode/settings.json",
    ".inputrc",
    "fish/readme.md",
  ])("%s is an ordinary file", (name) => expect(controlReason(name)).toBeUndefined());
});

describe("what git is set up to run", () => {
  const controls = async (...names: string[]): Promise<boolean[]> => {
    const files = await open();
    const places = await Promise.all(names.map((name) => files.locateWritable(name)));
    return places.map((place) => place.ok && place.control !== undefined);
  };
  const put = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(ws, name)), { recursive: true });
    writeFileSync(path.join(ws, name), text);
  };

  it.each([
    ["plain", "[core]\n\tbare = false\n\thooksPath = tools/hooks\n"],
    ["quoted, with a comment, beside the section", '[CORE] HooksPath = "./tools/hooks" ; ours\n'],
    ["through the home", "[core]\nhooksPath = ~/../ws/tools/hooks\n"],
  ])("asks for files in a configured hook folder: %s (FS-102)", async (_name, config) => {
    put(".git/config", config);
    expect(await controls("tools/hooks/pre-commit", "tools/hooks/lib/x.sh", "tools/x", "tools/hooks2/x")).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("asks for the real place of a hook folder that is a link", async () => {
    symlinkSync("sub", path.join(ws, "hooks"));
    put(".git/config", "[core]\nhooksPath = hooks\n");
    expect(await controls("hooks/pre-push", "sub/real.md")).toEqual([true, true]);
  });

  it("takes only hook names for hooks when the folder is the root itself", async () => {
    put(".git/config", "[core]\nhooksPath = .\n");
    expect(await controls("pre-commit", "a.txt", "sub/pre-commit")).toEqual([true, false, false]);
  });

  it("leaves alone what other sections call so", async () => {
    put(".git/config", "[alias]\nhooksPath = sub\n[core]\n# hooksPath = sub\n");
    expect(await controls("sub/real.md")).toEqual([false]);
  });

  it("asks for the folders a .git file points to, and their hook folder (FS-102)", async () => {
    put("store/main/config", "[core]\nhooksPath = team\n");
    put("store/main/worktrees/w/commondir", "../..\n");
    put(".git", "gitdir: store/main/worktrees/w\n");
    expect(await controls("store/main/worktrees/w/HEAD", "store/main/config", "team/pre-commit", "store/x")).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("reading a walk's entries", () => {
  const entry = (name: string): WalkEntry => ({ name: path.basename(name), real: path.join(ws, name), kind: "file" });

  it("reads small and large files, and refuses what is too large or no file (FS-06, T-FS-1)", async () => {
    const large = Buffer.alloc(600_000, "x");
    writeFileSync(path.join(ws, "sub", "large"), large);
    symlinkSync("real.md", path.join(ws, "sub", "l"));
    execFileSync("mkfifo", [path.join(ws, "sub", "pipe")]);
    const reader = (await open()).entryReader();
    const read = async (name: string, most = 1_000_000): Promise<unknown> => {
      const content = await reader.read(entry(name), most);
      return content.ok ? [content.display, content.bytes.length] : content.code;
    };
    expect(await read("a.txt")).toEqual(["a.txt", 6]);
    expect(await read("sub/real.md")).toEqual(["sub/real.md", 2]);
    expect(await read("sub/large")).toEqual(["sub/large", 600_000]);
    expect([await read("sub/large", 599_999), await read("sub/real.md", 1)]).toEqual(["TOO_LARGE", "TOO_LARGE"]);
    expect([await read("sub/l"), await read("sub/pipe"), await read("sub/gone"), await read("gone/x")]).toEqual([
      "CHANGED",
      "NOT_A_FILE",
      "NOT_FOUND",
      "NOT_FOUND",
    ]);
    expect(await read("../out/secret.txt")).toBe("OUTSIDE_WORKSPACE");
    reader.close();
  });

  it.each([
    ["the folder", "d", "d/secret.txt"],
    ["a folder above it", "d", "d/e/secret.txt"],
  ])(
    "never reads outside when %s becomes a link out after it was listed (FS-90, T-EDIT-6)",
    async (_name, swapped, file) => {
      mkdirSync(path.join(base, "out", "e"));
      writeFileSync(path.join(base, "out", "e", "secret.txt"), "CANARY");
      mkdirSync(path.join(ws, "d", "e"), { recursive: true });
      writeFileSync(path.join(ws, file), "mine");
      const files = await open();
      const reader = files.entryReader();
      renameSync(path.join(ws, swapped), path.join(ws, "moved"));
      symlinkSync("../out", path.join(ws, swapped));
      expect(codeOf(await reader.read(entry(file), 1_000))).not.toBe("ok");
      // Once a folder is open its own files are read, whatever its name leads to.
      const moved = file.replace(swapped, "moved");
      expect(codeOf(await reader.read(entry(moved), 1_000))).toBe("ok");
      renameSync(path.join(ws, "moved"), path.join(ws, "again"));
      symlinkSync("../out", path.join(ws, "moved"));
      const content = await reader.read(entry(moved), 1_000);
      expect(content.ok ? content.bytes.toString() : content.code).not.toContain("CANARY");
      reader.close();
    },
  );
});

describe("long work", () => {
  it("sorts like one sort, whatever the length (06 §9)", async () => {
    const items = Array.from({ length: 20_000 }, (_, at) => ({ key: (at * 7_919) % 5_000, at }));
    const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
    const pauses = createPauses(new AbortController().signal);
    expect(await sortWithPauses(items, compare, pauses)).toEqual(items.toSorted(compare));
  });

  it("lets others have a turn, and ends when it is stopped", async () => {
    const abort = new AbortController();
    const pauses = createPauses(abort.signal);
    let turns = 0;
    setImmediate(() => {
      turns++;
      abort.abort(new Error("stopped"));
    });
    const work = async (): Promise<void> => {
      for (;;) await pauses();
    };
    await expect(work()).rejects.toThrow("stopped");
    expect(turns).toBe(1);
    const walk = (await open()).walk(ws, () => true, abort.signal);
    await expect(walk.next()).rejects.toThrow("stopped");
  });
});

describe("removing a link", () => {
  it("removes the link and leaves what it leads to (FS-22)", async () => {
    const files = await open();
    const link = await files.locateLink("in.md");
    if (link?.ok !== true) throw new Error("no link");
    expect(link).toMatchObject({ display: "in.md", target: "sub/real.md" });
    expect(codeOf(await files.removeLink(grantFor("sub/real.md", "delete_file"), link, by))).toBe("NO_GRANT");
    expect(codeOf(await files.removeLink(grantFor("in.md", "delete_file"), link, by))).toBe("ok");
    expect(existsSync(path.join(ws, "in.md"))).toBe(false);
    expect(readFileSync(path.join(ws, "sub", "real.md"), "utf8")).toBe("in");
  });

  it("knows a link below a folder link, by another spelling of the workspace, and one that leads nowhere", async () => {
    symlinkSync(ws, path.join(base, "other"));
    symlinkSync("sub", path.join(ws, "folder"));
    symlinkSync("gone", path.join(ws, "sub", "l"));
    const files = await open();
    const given = ["folder/l", path.join(base, "other", "in.md"), "folder"];
    const found = await Promise.all(given.map((name) => files.locateLink(name)));
    expect(found.map((one) => (one?.ok === true ? one.display : one))).toEqual(["sub/l", "in.md", "folder"]);
    expect(await files.locateLink("a.txt")).toBeUndefined();
  });

  it.each([
    ["notes.md", "OUTSIDE_WORKSPACE"],
    ["draft.md", "OUTSIDE_WORKSPACE"],
    ["env.txt", "BLOCKED_PATH"],
    ["../ro/l", "READ_ONLY_PATH"],
    ["top", "NOT_A_FILE"],
  ])("refuses %s (%s, T-EDIT-6)", async (name, code) => {
    symlinkSync("r.txt", path.join(base, "ro", "l"));
    symlinkSync(".", path.join(ws, "top"));
    const files = await open();
    expect(codeOf((await files.locateLink(name.replace("..", base))) ?? { ok: true })).toBe(code);
  });

  it.each([
    ["points elsewhere", (link: string) => symlinkSync("a.txt", link)],
    ["is a file", (link: string) => writeFileSync(link, "mine")],
    ["is gone", () => undefined],
  ])("refuses when it %s since it was shown (FS-31)", async (_name, meddle) => {
    const files = await open();
    const link = await files.locateLink("in.md");
    if (link?.ok !== true) throw new Error("no link");
    unlinkSync(path.join(ws, "in.md"));
    meddle(path.join(ws, "in.md"));
    expect(codeOf(await files.removeLink(grantFor("in.md", "delete_file"), link, by))).toBe("CHANGED");
    expect(readdirSync(ws)).toContain("a.txt");
  });

  it("forgets the kept state when the removal fails (FS-23)", async () => {
    const told: string[] = [];
    const files = await open({
      beforeWrite: async ({ before }) => {
        told.push(before.exists ? `${before.isLink} ${before.bytes.toString()}` : "absent");
        unlinkSync(path.join(ws, "in.md"));
        return { done: async () => void told.push("done"), drop: async () => void told.push("drop") };
      },
    });
    const link = await files.locateLink("in.md");
    if (link?.ok !== true) throw new Error("no link");
    expect(codeOf(await files.removeLink(grantFor("in.md", "delete_file"), link, by))).toBe("NOT_FOUND");
    expect(told).toEqual(["true sub/real.md", "drop"]);
  });
});

describe("text formats", () => {
  it.each([
    ["UTF-8", Buffer.from("wörld\r\n")],
    ["UTF-8 with a mark", Buffer.from("\ufeffhello\n")],
    ["UTF-16LE", Buffer.from("\ufeffhé\n", "utf16le")],
    ["UTF-16BE", Buffer.from("\ufeffhé\n", "utf16le").swap16()],
  ])("%s comes back byte for byte, its mark invisible (FS-103, T-EDIT-2)", (_name, bytes) => {
    const decoded = decodeText(bytes, "f");
    if (!decoded.ok) throw new Error(decoded.message);
    expect(decoded.text).not.toContain("\ufeff");
    expect(encodeText(decoded.text, decoded.format)).toEqual(bytes);
  });

  it("refuses bytes that don't decode (FS-103)", () => {
    expect(decodeText(Buffer.from([0x61, 0xe9, 0x62]), "f")).toMatchObject({ ok: false, code: "NOT_TEXT" });
  });
});
