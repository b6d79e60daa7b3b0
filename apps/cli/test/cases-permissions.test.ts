// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type CallResult,
  call,
  contentOf,
  openScene,
  reportOf,
  type Scene,
  shell,
  startExec,
  treeOf,
} from "./scene.js";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(async () => {
  const { violations } = scene.fake;
  await scene[Symbol.asyncDispose]();
  expect(violations).toEqual([]);
});

const MODES = ["default", "accept-edits", "dont-ask"] as const;
const MODES_AND_SANDBOXES = MODES.flatMap((mode) => (["auto", "off"] as const).map((box) => [mode, box] as const));

/** `[sandbox] shell = …` and the fake's address. */
const sandbox = (shell: "auto" | "off"): void =>
  scene.scratch.configure("anthropic", scene.fake.url, `[sandbox]\nshell = "${shell}"\n`);
const exists = (name: string): boolean => existsSync(path.join(scene.scratch.ws, name));

/** The commands that weren't refused; a refused call has an error and never an exit code. */
const ran = (commands: readonly string[], results: readonly CallResult[]): readonly string[] => {
  expect(results).toHaveLength(commands.length);
  return commands.filter((_command, i) => results[i]?.["error"] === undefined || "exit_code" in (results[i] ?? {}));
};

/** Plan mode holds in these too. */
const EVERY_MODE = [...MODES, "bypass"] as const;

describe("T-PERM-1: one rule, several commands", () => {
  const JOINED = [
    "git log; touch M",
    "git log && touch M",
    "git log || touch M",
    "git log | touch M",
    "git log & touch M",
    "git log\ntouch M",
    "git log $(touch M)",
    "git log `touch M`",
    "git log <(touch M)",
    'git log "${x:-$(touch M)}"',
    "git log $((a[$(touch M)]))",
    "( git log; touch M )",
    "{ git log; touch M; }",
    "if git log; then touch M; fi",
    "for f in a; do git log; touch M; done",
    "case a in a) git log; touch M;; esac",
    "f() { touch M; }; git log; f",
    "git() { touch M; }; git log",
    "[[ $(touch M) ]] && git log",
    "git log > M",
    "git log 2> M",
    "git logs; touch M",
    "coproc touch M; git log",
    "alias git='touch M'; git log",
    "PATH=.:$PATH git log",
    "env PATH=.:/usr/bin:/bin git log",
    "PATH=.:/usr/bin:/bin git log",
    "export PATH=.:/usr/bin:/bin; git log",
    "env GIT_PAGER='touch M' git log",
    "timeout 5 env BASH_ENV=git git log",
    "for PATH in .; do git log; done",
    "printf -v PATH .; git log",
    "git log --output=M",
    "./git log",
    "command -p ./git log",
    "GIT_PAGER='touch M' git -p log",
  ];
  it.each(MODES_AND_SANDBOXES)(
    "a rule for git log covers nothing joined to it: mode %s, sandbox %s (SH-10, SH-11)",
    async (mode, box) => {
      sandbox(box);
      scene.put("git", "#!/bin/sh\ntouch M\n", 0o755);
      scene.commitAll();
      const args = ["--permission-mode", mode, "--allow", "shell(git log)", "--deny", "shell(rm)"];
      expect(ran(JOINED, await scene.commands(JOINED, ...args))).toEqual([]);
      expect(exists("M")).toBe(false);
      // Without a sandbox nothing hides blocked files from git, so even the rule's own command asks (APR-63).
      const log = (await scene.commands(["git log --oneline -5"], ...args))[0];
      if (box === "off") expect(log?.["error"]).toEqual(expect.any(String));
      else expect(log).toMatchObject({ exit_code: 0, output: expect.stringMatching(/^[0-9a-f]+ first\n$/) });
    },
  );

  const DENIED = [
    "(cd b && rm -rf x)",
    "X=1 rm x",
    "\\rm x",
    "r''m x",
    "/bin/rm x",
    "command rm x",
    "rm x",
    "git log; rm x",
    "echo $(rm x)",
    "$'\\x72m' x",
  ];
  it.each([...MODES_AND_SANDBOXES, ["bypass", "auto"] as const])(
    "what a deny rule names is denied under every spelling: mode %s, sandbox %s (SH-12, APR-10)",
    async (mode, box) => {
      sandbox(box);
      scene.put("x", "kept");
      scene.put("b/x", "kept");
      const args = ["--permission-mode", mode, "--allow", "shell", "--deny", "shell(rm)"];
      const results = await scene.commands(DENIED, ...args);
      expect(results.map((result) => result["error"])).toEqual(
        DENIED.map(() => expect.stringMatching(/^blocked by command policy: /)),
      );
      expect([scene.get("x"), scene.get("b/x")]).toEqual(["kept", "kept"]);
    },
  );

  it("an answer saved for one command covers that exact text in that workspace (APR-20)", async () => {
    sandbox("auto");
    const saved = "git status && rm -rf ./tmp";
    const entry = { key: `cmd:${scene.scratch.ws}\0${saved}`, label: saved, added: "2026-01-01T00:00:00Z" };
    mkdirSync(path.join(scene.scratch.home, ".blitz"), { mode: 0o700 });
    writeFileSync(
      path.join(scene.scratch.home, ".blitz", "approvals.json"),
      `${JSON.stringify({ version: 1, rules: [entry] })}\n`,
      { mode: 0o600 },
    );
    for (const name of ["tmp/x", "other/x"]) scene.put(name, "kept");
    scene.commitAll();
    const commands = [`${saved}/`, "rm -rf ./other", `${saved}; rm -rf ./other`, `${saved} ./other`, saved];
    expect(ran(commands, await scene.commands(commands))).toEqual([saved]);
    expect([exists("tmp"), exists("other/x")]).toEqual([false, true]);
  });
});

describe("T-PERM-2: wrappers, here-documents, redirections", () => {
  const WRAPPED = [
    "timeout 5 rm x",
    "timeout -s KILL 5 rm x",
    "nice -n5 rm x",
    "nohup rm x",
    "env A=1 rm x",
    "env -S 'rm x'",
    "stdbuf -o0 rm x",
    "setsid rm x",
    "setsid -w rm x",
    "xargs rm < list",
    "xargs -I{} sh -c 'rm {}' < list",
    "find . -name x -exec rm {} +",
    "find . -name x -execdir rm {} \\;",
    "find . -name x -exec sh -c 'rm x' \\;",
    "script -c 'rm x' /dev/null",
    "busybox rm x",
    "bash -c 'rm x'",
    "bash -ec 'rm x'",
    "sh -c 'rm x'",
    "echo 'rm x' | sh",
    "bash <<'E'\nrm x\nE",
    "bash <<E\nrm x\nE",
    "bash <<< 'rm x'",
    "eval 'rm x'",
    "./w rm x",
    "cat <<EOF\n$(rm x)\nEOF",
    "cat <<A <<B\nplain\nA\n$(rm x)\nB",
    "cat <<-E\n\t$(rm x)\n\tE",
    "cat <<E\nE \n$(rm x)\nE",
    "cat <<'E'\ntext\nE\nrm x",
    "cat <<'a b'\nE\na b\nrm x",
  ];
  it.each(MODES_AND_SANDBOXES)(
    "a denied command behind a wrapper never runs: mode %s, sandbox %s (SH-10, SH-61)",
    async (mode, box) => {
      sandbox(box);
      scene.put("x", "kept");
      scene.put("list", "x\n");
      scene.put("w", '#!/bin/sh\nexec "$@"\n', 0o755);
      const args = ["--permission-mode", mode, "--allow", "shell(cat)", "--allow", "shell(echo)"];
      const results = await scene.commands(WRAPPED, ...args, "--deny", "shell(rm)");
      expect(ran(WRAPPED, results)).toEqual([]);
      expect(scene.get("x")).toBe("kept");
    },
  );

  const TEXT = [
    "cat <<'EOF'\n$(rm x)\nEOF",
    "cat <<'A' <<'B'\nrm x\nA\n$(rm x)\nB",
    "cat <<-E\n\tplain\n\tE",
    "cat f 2>&1",
    "cat f >/dev/null",
    "cat f 3>&-",
    'cat ">" f',
  ];
  const WRITING = [
    ["cat f > o", "o"],
    ["cat f >> o", "o"],
    ["cat f >| o", "o"],
    ["cat f &> o", "o"],
    ["cat f >&o", "o"],
    ["cat f <> o", "o"],
    ["cat f 2> o", "o"],
    ['V=o; cat f > "$V"', ""],
    ["cat f > .env", ".env"],
  ] as const;
  it.each(MODES)("text isn't run and a redirection asks: mode %s (SH-11a)", async (mode) => {
    sandbox("off");
    scene.put("f", "text\n");
    scene.put("x", "kept");
    const args = ["--permission-mode", mode, "--allow", "shell(cat)", "--deny", "shell(rm)"];
    const commands = [...TEXT, ...WRITING.map(([command]) => command)];
    const results = await scene.commands(commands, ...args);
    expect(ran(commands, results)).toEqual(TEXT);
    expect(results[0]?.["output"]).toBe("$(rm x)\n");
    expect(results[1]?.["output"]).toBe("$(rm x)\n");
    expect(treeOf(scene.scratch.ws)).toEqual(["f", "x"]);
  });
});

describe("T-PERM-3: read-only commands that aren't", () => {
  const EFFECTS = [
    "git -c alias.x='!touch M' x",
    "git -c core.pager='touch M' -p log",
    "git --config-env=core.pager=P log",
    "git --exec-path=. status",
    "git --git-dir=o status",
    "git --work-tree=o status",
    "git -C o status",
    "git -p log",
    "git diff --output=M",
    "git log --output M",
    "git show --output=M",
    "git diff --outpu=M",
    "git diff --ext-diff",
    "git diff --no-index --output=M a b",
    "git log --textconv --ext-diff -p",
    "rg --pre ./x y",
    "rg --pre=./x y",
    "rg --hostname-bin=./x y",
    "rg -z y",
    "find . -delete",
    "find . -fprint M",
    "sort -oM a",
    "sort -o M a",
    "sed 'w M' a",
    "sed -n '1e touch M' a",
    "tee M",
    "cat a | tee M",
    "git branch M",
    "git diff | touch M",
    "./rg -n x src",
    "src/../ls",
  ];
  const READING = ["git status", "git log -p -3", "git diff HEAD -- src", "rg -n x src"];
  it.each(MODES)("only what reads runs unasked, in mode %s (APR-58, SH-11)", async (mode) => {
    sandbox("auto");
    for (const name of ["a", "b", "src/s"]) scene.put(name, "x\n");
    for (const name of ["x", "rg", "ls", "git-status"]) scene.put(name, "#!/bin/sh\ntouch M\n", 0o755);
    scene.commitAll();
    scene.put("src/s", "x\nchanged\n");
    // A program on PATH outside the workspace that does what rg's dangerous options would.
    const bin = path.join(scene.scratch.base, "bin");
    mkdirSync(bin);
    writeFileSync(
      path.join(bin, "rg"),
      `#!/bin/sh\ncase "$*" in *--pre*|*--hostname*|*-z*) touch M;; esac\nexec grep -rn x src\n`,
      { mode: 0o755 },
    );
    const before = contentOf(scene.scratch.ws);
    const commands = [...EFFECTS, ...READING];
    scene.fake.script({ parts: commands.map((command) => shell(command)) }, { text: "Done." });
    const env = { PATH: `${bin}:${process.env["PATH"]}` };
    const run = await startExec(scene.scratch, ["--permission-mode", mode, "go"], { env }).done;
    const results = (reportOf(run).tool_calls ?? []).map(({ result }) => result);
    expect(ran(commands, results)).toEqual(READING);
    expect(contentOf(scene.scratch.ws)).toEqual(before);
  });

  it("a command that reads without an end is ended by its limit (SH-04)", async () => {
    sandbox("auto");
    scene.put("a", "x\n");
    scene.fake.script({ parts: [shell("tail -f a", 1)] }, { text: "Done." });
    const { report } = await scene.run("go");
    expect(report.tool_calls?.[0]?.result).toMatchObject({ exit_code: -1, output: expect.stringMatching(/^x\n/) });
  });
});

describe("T-PERM-4: plan mode", () => {
  it.each(EVERY_MODE)("nothing that changes runs while planning, in mode %s (ENG-30, APR-45)", async (mode) => {
    sandbox("auto");
    scene.put("a.txt", "one\n");
    scene.commitAll();
    const before = contentOf(scene.scratch.ws);
    const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** Add File: M\n+x\n*** End Patch\n";
    const changing = [
      shell("git status"),
      shell("touch M"),
      shell("ls"),
      call("create_file", { path: "M", content: "x" }),
      call("replace_in_file", { path: "a.txt", target_content: "one", replacement_content: "two" }),
      call("apply_patch", { patch }),
      call("delete_file", { path: "a.txt" }),
      call("manage_background_process", { action: "kill", id: "1" }),
      call("remember", { text: "x" }),
    ];
    const enter = call("enter_plan_mode", {});
    scene.fake.script(
      { parts: changing },
      { parts: [enter, ...changing] },
      { parts: [enter, call("read_file", { path: "a.txt" }), ...changing] },
      { text: "Planned." },
    );
    const args = [
      "--plan",
      "--permission-mode",
      mode,
      "--allow",
      "shell",
      "--allow",
      "write(**)",
      "--allow",
      "delete(**)",
    ];
    const { report } = await scene.run(...args, "go");
    expect(report.exit_code).toBe(0);
    const calls = (report.tool_calls ?? []).filter(({ name }) => !["enter_plan_mode", "read_file"].includes(name));
    expect(calls.map(({ name }) => name)).toEqual([1, 2, 3].flatMap(() => changing.map(({ name }) => name)));
    for (const { result } of calls) expect(result["error"]).toMatch(/^(plan mode: |there is no tool )/);
    expect(report.tool_calls?.find(({ name }) => name === "read_file")?.result["error"]).toBeUndefined();
    expect(contentOf(scene.scratch.ws)).toEqual(before);
  });
});
