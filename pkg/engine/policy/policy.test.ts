// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import { describe, expect, it } from "vitest";
import { CORPUS, type Expected } from "./corpus.testdata.js";
import {
  type CompiledPolicy,
  compilePolicy,
  DEFAULT_DENY,
  type Judgement,
  judgeCommand,
  type PolicyOptions,
} from "./index.js";

const NONE = { deny: [], ask: [], allow: [] };
const policyOf = (changes: Partial<PolicyOptions> = {}): CompiledPolicy =>
  compilePolicy({
    allow: [],
    deny: DEFAULT_DENY,
    autoApprove: [],
    rules: NONE,
    readOnlyDefaults: true,
    gitGuarded: true,
    isSystemProgram: (name) => name !== "shadowed",
    ...changes,
  });
const summary = ({ verdict, mustAsk }: Judgement): Expected =>
  verdict === "deny" ? "deny" : verdict === "auto_approve" ? "auto" : mustAsk ? "ask" : "approve";
const judge = (script: string, changes: Partial<PolicyOptions> = {}): Expected =>
  summary(judgeCommand(script, policyOf(changes)));

describe("judgeCommand", () => {
  const policy = policyOf({ autoApprove: ["shadowed"], rules: { deny: ["rm"], ask: [], allow: ["git log"] } });
  it.each(CORPUS)("%j → %s (SH-10…14, 61; T-PERM-1, 2, 3)", (script, expected) => {
    expect(summary(judgeCommand(script, policy))).toBe(expected);
  });

  it.each(CORPUS.filter(([, expected]) => expected !== "auto"))(
    "%j is not auto-approved with ask rules instead of deny rules",
    (script) => {
      const open = policyOf({ deny: [], rules: { ...NONE, ask: ["rm", "sudo"] } });
      expect(summary(judgeCommand(script, open))).not.toBe("auto");
    },
  );

  it("names the file a redirection writes (SH-11a)", () => {
    for (const script of ["ls > o", "ls &>> o", "bash -c 'ls > o'", "f() { ls; } > o", "ls >& o", "ls <> o"]) {
      const { redirect, reason } = judgeCommand(script, policyOf());
      expect([script, redirect]).toEqual([script, "o"]);
      if (!script.startsWith("f()")) expect(reason).toContain("the file o");
    }
    expect(judgeCommand('ls > "$V"', policyOf()).redirect).toBe('"$V"');
    expect(judgeCommand("ls 2>&1 > /dev/null", policyOf())).not.toHaveProperty("redirect");
  });

  it("lists every command found, a wrapper after what it runs (SH-10)", () => {
    expect(judgeCommand("timeout 5 ls | xargs -n 1 cat; echo $(pwd)", policyOf()).commands).toEqual([
      "ls",
      "timeout 5 ls",
      "cat",
      "xargs -n 1 cat",
      "echo $(pwd)",
      "pwd",
    ]);
  });

  it.each<[string, Expected]>([
    ["make", "ask"],
    ["env make all", "ask"],
    ["timeout 5 make", "ask"],
    ["bash -c 'make'", "ask"],
    ["/usr/bin/make", "ask"],
    ["eval make", "ask"],
    ["$x", "ask"],
    ["echo make | sh", "ask"],
    ["if", "ask"],
    ["makeinfo", "approve"],
    ["ls", "auto"],
    ["rm x; make", "deny"],
  ])("with the ask rule make: %s → %s (SH-14)", (script, expected) => {
    expect(judge(script, { rules: { deny: ["rm"], ask: ["make"], allow: [] } })).toBe(expected);
  });

  it.each<[string, Expected, string?]>([
    ["ls", "auto"],
    ["go test ./...", "approve"],
    ["/usr/bin/ls", "approve"],
    ["env go test", "approve"],
    ["curl x", "deny", "not on the list"],
    ["ls; curl x", "deny", "not on the list"],
    ["eval ls", "deny", "can't be seen"],
    ["$x", "deny", "only known when it runs"],
    ["if", "deny", "can't be parsed"],
    ["ls | sh", "deny", "can't be seen"],
    ["find . -exec sh -c 'ls \"$1\"' _ {} +", "deny", "find"],
    ["ls | xargs sh -c 'go vet'", "approve"],
    ["ls | xargs -I% sh -c 'go %'", "deny", "put into a script"],
    ["ls | xargs --replace=% sh -c 'go %'", "deny", "put into a script"],
    ["sudo ls", "deny", "sudo *"],
  ])("with an allow-list: %s → %s (SH-14)", (script, expected, why) => {
    const judgement = judgeCommand(script, policyOf({ allow: ["ls", "go"] }));
    expect(summary(judgement)).toBe(expected);
    if (why !== undefined) expect(judgement.reason).toContain(why);
  });

  it.each<[string, string, boolean]>([
    ["go test", "go test ./...", true],
    ["go test", "go tests", false],
    ["npm run *", "npm run", true],
    ["npm run *", "npm run x y", true],
    ["npm run *", "npm runx", false],
    ["*", "npm run x", true],
    ["*", "./x", false],
    ["./gradlew", "./gradlew test", true],
    ["./gradlew *", "./gradlew test", true],
    ["./gradlew", "gradlew test", false],
    ["make t?st", "make test", true],
    ["re:make (a|b)", "make a", true],
    ["re:make (a|b)", "make ab", false],
    ["re:make (a|b)", "xmake a", false],
    [" ", "ls2", false],
  ])("the pattern %j covers %j: %s (SH-11)", (pattern, script, isCovered) => {
    expect(judge(script, { autoApprove: [pattern] })).toBe(isCovered ? "auto" : "approve");
  });

  it("refuses an expression that doesn't compile, naming the setting (SH-11)", () => {
    let thrown: unknown;
    try {
      policyOf({ deny: ["re:["] });
    } catch (error) {
      thrown = error;
    }
    expect(isReason(thrown, "INVALID_SETTING") && thrown.metadata).toEqual({
      key: "sandbox.commands.deny",
      value: "re:[",
    });
  });

  it("has no built-in rules when they are off, and no git ones when git isn't guarded (APR-58, 63)", () => {
    expect([
      judge("ls", { readOnlyDefaults: false }),
      judge("git diff --output=M", { readOnlyDefaults: false }),
    ]).toEqual(["approve", "approve"]);
    expect([judge("git status", { gitGuarded: false }), judge("ls", { gitGuarded: false })]).toEqual([
      "approve",
      "auto",
    ]);
  });

  it("applies the built-in git rules where git is guarded, and says that it has to be (APR-58)", () => {
    const guarded = policyOf({ autoApprove: ["cd", "git show"], gitGuarded: (cwd) => cwd === "/plain" });
    expect(judgeCommand("git status", guarded, "/plain")).toMatchObject({ verdict: "auto_approve", readOnlyGit: true });
    expect(judgeCommand("ls", guarded, "/plain")).not.toHaveProperty("readOnlyGit");
    expect(judgeCommand("git show", guarded, "/other")).not.toHaveProperty("readOnlyGit");
    expect(judgeCommand("git show", guarded, "/other").verdict).toBe("auto_approve");
    for (const script of ["cd sub && git status", "pushd sub; git log"]) {
      expect(judgeCommand(script, guarded, "/plain").verdict).toBe("needs_approval");
    }
    expect(judgeCommand("git status", guarded, "/other").verdict).toBe("needs_approval");
  });

  it.each<[string, Expected]>([
    ["cat a", "auto"],
    ["cat .env", "ask"],
    ["cat --file=.env", "ask"],
    ["cat .en*", "ask"],
    ["cat $f", "ask"],
    ["cat linked", "ask"],
    ["grep -r x .", "ask"],
    ["timeout 5 cat .env", "ask"],
    ["find .", "ask"],
    ["rm .env", "deny"],
  ])("without a sandbox, %s → %s: what may reach something blocked asks (APR-63)", (script, expected) => {
    const isBlocked = (word: string): boolean => word === ".env" || word === "linked";
    const changes = {
      readOnlyDefaults: false,
      rules: { deny: ["rm"], ask: [], allow: ["cat", "grep", "find"] },
      isBlocked,
    };
    expect(judge(script, changes)).toBe(expected);
  });

  it("looks into three shells within shells, then no deeper (SH-10)", () => {
    const nested = (depth: number): string =>
      depth === 0 ? "rm x" : `sh -c '${nested(depth - 1).replaceAll("'", "'\\''")}'`;
    const changes = { rules: { deny: ["rm"], ask: [], allow: [] } };
    expect([1, 2, 3, 4].map((depth) => judge(nested(depth), changes))).toEqual(["deny", "deny", "deny", "approve"]);
  });

  it.each([
    ["wrappers", `${"env ".repeat(8_000)}rm x`],
    ["substitutions", `${"$(".repeat(2_000)}rm x${")".repeat(2_000)}`],
    ["groups", `${"(".repeat(5_000)}ls${")".repeat(5_000)}`],
    ["length", `ls ${"x ".repeat(40_000)}`],
    ["quotes", "'\"".repeat(10_000)],
  ])("doesn't fall over extreme %s, and doesn't approve them", (_name, script) => {
    expect(judge(script)).not.toBe("auto");
  });
});
