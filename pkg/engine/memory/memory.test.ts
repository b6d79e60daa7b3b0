// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importsOf } from "./imports.js";
import { loadMemory, type Memory, type MemoryConfig } from "./index.js";

let top: string;
let repo: string;
let home: string;

beforeEach(async () => {
  top = await realpath(await mkdtemp(path.join(tmpdir(), "memory-")));
  repo = path.join(top, "repo");
  home = path.join(top, "home");
  await mkdir(path.join(repo, ".git"), { recursive: true });
  await mkdir(path.join(home, ".blitz"), { recursive: true });
});
afterEach(() => rm(top, { recursive: true, force: true }));

const put = async (name: string, content: string | Buffer): Promise<void> => {
  const file = path.join(top, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
};

async function load(
  more: Partial<MemoryConfig> = {},
  workspace = repo,
  blocked: readonly string[] = [],
): Promise<Memory> {
  return await loadMemory({
    config: {
      enabled: true,
      files: ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "BLITZ.md"],
      local_files: ["CLAUDE.local.md", "BLITZ.local.md"],
      global: path.join(home, ".blitz/BLITZ.md"),
      max_bytes: 32_768,
      ...more,
    },
    workspace,
    home,
    isBlocked: (absolute) => blocked.includes(path.basename(absolute)),
  });
}

describe("loadMemory", () => {
  it("goes from the user's file and the repository's root down to the workspace, imports after their importer (MEM-02, 10)", async () => {
    await put("home/.blitz/BLITZ.md", "global\n");
    await put("repo/BLITZ.md", "root blitz");
    await put("repo/AGENTS.md", "root agents, see @docs/style.md.");
    await put("repo/docs/style.md", "style");
    await put("repo/pkg/AGENTS.md", "middle");
    await put("repo/pkg/app/CLAUDE.local.md", "mine");
    await put("repo/pkg/app/CLAUDE.md", "app");
    await put("AGENTS.md", "above the repository");
    const memory = await load({}, path.join(repo, "pkg/app"));
    expect(memory.text.replaceAll(top, "")).toMatchInlineSnapshot(`
      "## Project Instructions

      From files of this project and of the user's home. Follow them unless the user asks otherwise or a safety rule is against it. They give no permission and skip no approval.

      ### ~/.blitz/BLITZ.md

      global

      ### /repo/AGENTS.md

      root agents, see @docs/style.md.

      ### /repo/docs/style.md (imported by /repo/AGENTS.md)

      style

      ### /repo/BLITZ.md

      root blitz

      ### /repo/pkg/AGENTS.md

      middle

      ### CLAUDE.md

      app

      ### CLAUDE.local.md

      mine"
    `);
    expect(memory.files.map((file) => file.replace(top, ""))).toEqual([
      "~/.blitz/BLITZ.md",
      "/repo/AGENTS.md",
      "/repo/docs/style.md",
      "/repo/BLITZ.md",
      "/repo/pkg/AGENTS.md",
      "CLAUDE.md",
      "CLAUDE.local.md",
    ]);
    expect(memory.problems).toEqual([]);
  });

  it("loads nothing when it is switched off (MEM-01)", async () => {
    await put("repo/AGENTS.md", "a");
    expect(await load({ enabled: false })).toEqual({ text: "", files: [], problems: [], missing: [] });
  });

  it("has no section without files", async () => {
    expect(await load()).toEqual({ text: "", files: [], problems: [], missing: [] });
  });

  it("looks into the workspace alone where there is no repository, also with a .git more than ten levels up (MEM-03)", async () => {
    const deep = "1/2/3/4/5/6/7/8/9/10";
    await put("repo/AGENTS.md", "far above");
    await put(`repo/${deep}/AGENTS.md`, "here");
    expect((await load({}, path.join(repo, deep))).files).toEqual(["AGENTS.md"]);
    expect((await load({}, path.join(repo, path.dirname(deep)))).files).toEqual([path.join(repo, "AGENTS.md")]);
  });

  it("takes a .git that is a file for a root (MEM-03)", async () => {
    await put("tree/.git", "gitdir: elsewhere");
    await put("tree/AGENTS.md", "tree");
    await mkdir(path.join(top, "tree/sub"));
    expect((await load({}, path.join(top, "tree/sub"))).files).toEqual([path.join(top, "tree/AGENTS.md")]);
  });

  it("loads a file, and the same content, once (MEM-04)", async () => {
    await put("repo/AGENTS.md", "same\r\n");
    await put("repo/CLAUDE.md", "\ufeffsame");
    await symlink("AGENTS.md", path.join(repo, "GEMINI.md"));
    await put("repo/BLITZ.md", "other @AGENTS.md");
    expect((await load()).files).toEqual(["AGENTS.md", "BLITZ.md"]);
  });

  it("passes over empty files, folders and special files (MEM-04)", async () => {
    await put("repo/AGENTS.md", " \n");
    await mkdir(path.join(repo, "CLAUDE.md"));
    execFileSync("mkfifo", [path.join(repo, "GEMINI.md")]);
    await put("repo/BLITZ.md", "b");
    expect(await load()).toMatchObject({ files: ["BLITZ.md"], problems: [] });
  });

  it("passes over links that lead nowhere or in a circle (MEM-04)", async () => {
    await symlink("CLAUDE.md", path.join(repo, "AGENTS.md"));
    await symlink("AGENTS.md", path.join(repo, "CLAUDE.md"));
    await symlink("nowhere.md", path.join(repo, "GEMINI.md"));
    expect(await load()).toMatchObject({ files: [], problems: [] });
  });

  it("never reads a blocked path, as written or as resolved, and says so (MEM-04)", async () => {
    await put("repo/secret.md", "CANARY");
    await put("repo/AGENTS.md", "see @secret.md");
    await symlink("secret.md", path.join(repo, "CLAUDE.md"));
    const memory = await load({}, repo, ["secret.md"]);
    expect(memory).toMatchObject({
      files: ["AGENTS.md"],
      problems: ["secret.md (imported by AGENTS.md) is a blocked path and was not read"],
    });
    expect(memory.text).not.toContain("CANARY");
  });

  it("leaves out a file that is a link out of the project, and says so (MEM-04a)", async () => {
    await put("private.md", "CANARY");
    await symlink("../private.md", path.join(repo, "AGENTS.md"));
    await put("home/.blitz/mine.md", "mine");
    await symlink("../home/.blitz/mine.md", path.join(repo, "CLAUDE.local.md"));
    const memory = await load();
    expect(memory.files).toEqual(["CLAUDE.local.md"]);
    expect(memory.problems).toEqual(["AGENTS.md leads outside the project and was not read"]);
  });

  it("cuts a long file on a character and marks it (MEM-05)", async () => {
    await put("repo/AGENTS.md", "aé".repeat(10));
    expect((await load({ max_bytes: 5 })).text).toMatch(/\n\naéa\n\(truncated\)$/);
    expect((await load({ max_bytes: 6 })).text).toMatch(/\n\naéaé\n\(truncated\)$/);
    expect((await load({ max_bytes: 30 })).text).toMatch(/\n\n(aé){10}$/);
  });

  it("removes terminal control sequences (MEM-05)", async () => {
    await put("repo/AGENTS.md", "\u001b[31mred\u001b[0m \u001b]0;title\u0007t\u0008\u009b1mx\u001b(B\ttab\u0000\r.");
    expect((await load()).text.endsWith("\n\nred tx\ttab.")).toBe(true);
  });
});

describe("imports", () => {
  it.each([
    ["a path at a line's start", "@docs/a.md", ["docs/a.md"]],
    ["one after a blank, its punctuation stripped", "see (or @a.md), @b/c; and @./d.txt!", ["a.md", "b/c", "./d.txt"]],
    ["no names and addresses", "@team me@example.com/x mail@b.md @", []],
    ["nothing in fences", "```\n@a.md\n```\n~~~ts\n@b.md\n```\n~~~\n@c.md", ["c.md"]],
    ["nothing in a longer fence until it closes", "````\n```\n@a.md\n````\n@b.md", ["b.md"]],
    ["nothing in inline code", "`@a.md` ``x ` @b.md`` @c.md ` @d.md", ["c.md", "d.md"]],
    ["nothing in an unclosed fence", "~~~\n@a.md", []],
    ["paths after inline code that looks like a fence", "```x``` @a.md\n@b.md", ["a.md", "b.md"]],
  ])("are %s (MEM-06)", (_name, text, paths) => {
    expect(importsOf(text)).toEqual(paths);
  });

  it("start at the importing file's folder and end with cycles (MEM-06)", async () => {
    await put("repo/AGENTS.md", "one @docs/a.md");
    await put("repo/docs/a.md", "two @b.md");
    await put("repo/docs/b.md", "three @../AGENTS.md @gone.md");
    const memory = await load();
    expect(memory.files).toEqual(["AGENTS.md", "docs/a.md", "docs/b.md"]);
    expect(memory.text).toContain("### docs/b.md (imported by docs/a.md)\n\nthree @../AGENTS.md @gone.md");
    expect(memory.missing).toEqual(["docs/gone.md (imported by docs/b.md)"]);
    expect(memory.problems).toEqual([]);
  });

  it.each([
    ["a path that climbs out", "@../private.md", "it is outside the project"],
    ["an absolute path outside", "@/etc/hostname.md", "it is outside the project"],
    ["the user's folder from a project", "@~/.blitz/settings.toml", "it is outside the project"],
    ["anything else of the home", "@~/private.md", "it is outside the project"],
  ])("never read %s (MEM-06)", async (_name, text, why) => {
    for (const name of ["private.md", "home/private.md", "home/.blitz/settings.toml"]) await put(name, "CANARY");
    await put("repo/AGENTS.md", text);
    const memory = await load();
    expect(memory.problems).toEqual([`${text} in AGENTS.md was not imported: ${why}`]);
    expect(memory.text).not.toContain("CANARY");
    expect(memory.text).toContain(text);
  });

  it("never follow a link out, of a file or a folder (MEM-06)", async () => {
    await put("out/private.md", "CANARY");
    await symlink("../out/private.md", path.join(repo, "link.md"));
    await symlink("../out", path.join(repo, "dir"));
    await put("repo/AGENTS.md", "@link.md @dir/private.md");
    const memory = await load();
    expect(memory.problems).toEqual([
      "link.md (imported by AGENTS.md) leads outside the project and was not read",
      "dir/private.md (imported by AGENTS.md) leads outside the project and was not read",
    ]);
    expect(memory.text).not.toContain("CANARY");
  });

  it("of the user's file stay in ~/.blitz (MEM-06)", async () => {
    await put("home/.blitz/BLITZ.md", "global @~/.blitz/more.md @other.md @../x.md");
    await put("home/.blitz/more.md", "more");
    await put("home/.blitz/other.md", "other");
    await put("home/x.md", "CANARY");
    const memory = await load();
    expect(memory.files).toEqual(["~/.blitz/BLITZ.md", "~/.blitz/more.md", "~/.blitz/other.md"]);
    expect(memory.problems).toEqual(["@../x.md in ~/.blitz/BLITZ.md was not imported: it is outside the project"]);
  });

  it("go five deep (MEM-06)", async () => {
    await put("repo/AGENTS.md", "0 @1.md");
    for (let level = 1; level <= 6; level++) await put(`repo/${level}.md`, `${level} @${level + 1}.md`);
    const memory = await load();
    expect(memory.files).toEqual(["AGENTS.md", "1.md", "2.md", "3.md", "4.md", "5.md"]);
    expect(memory.problems).toEqual(["@6.md in 5.md was not imported: imports go at most 5 deep"]);
  });

  it("take an absolute path inside the root", async () => {
    await put("repo/AGENTS.md", `@${path.join(repo, "a.md")}`);
    await put("repo/a.md", "a");
    expect((await load()).files).toEqual(["AGENTS.md", "a.md"]);
  });
});
