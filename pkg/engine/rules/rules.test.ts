// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import { describe, expect, it } from "vitest";
import { compileRules, matchRules, parseRule, type RuleKind, type RuleTarget, toolRule } from "./index.js";

const PLACES = { workspace: "/home/ann/w [1]", home: "/home/ann", ignoreCase: false };

const decide = (
  rules: readonly string[],
  targets: readonly RuleTarget[],
  tool = "some_tool",
  named = false,
): string => {
  const set = compileRules(
    rules.map((line) => {
      const [effect = "", ...rest] = line.split(" ");
      return parseRule(effect, rest.join(" "));
    }),
    PLACES,
  );
  const match = matchRules(set, targets, tool, named);
  return match === undefined ? "nothing" : `${match.effect} ${match.rule.text}`;
};

describe("parseRule", () => {
  it.each([
    ["Bash(git *)", "shell(git *)"],
    ["cmd( ls )", "shell(ls)"],
    ["edit(docs/)", "write(docs/)"],
    ["WebFetch(example.com)", "web(example.com)"],
    ["websearch", "search(*)"],
    ["shell", "shell(*)"],
    ["mcp(github:create_issue)", "mcp(github:create_issue)"],
    ["shell(f(x))", "shell(f(x))"],
    ["shell(re:git (log|status))", "shell(re:git (log|status))"],
    ["manage_background_process", "manage_background_process"],
    ["constructor", "constructor"],
  ])("reads %s as %s (PAR-PERM-10)", (text, canonical) => {
    expect(parseRule("deny", text).text).toBe(canonical);
  });

  it.each([
    ["deny", "", "empty text"],
    ["deny", "shell()", "empty pattern"],
    ["deny", "shell( )", "blank pattern"],
    ["deny", "shell(git", "a missing )"],
    ["deny", "shell(git) x", "text after the )"],
    ["deny", "files(x)", "an unknown kind"],
    ["deny", "constructor(x)", "an inherited name as kind"],
    ["deny", "9tool", "a bad name"],
    ["deny", "two words", "two words"],
    ["forbid", "shell(x)", "an unknown effect"],
    ["deny", "shell(re:[)", "a bad regular expression"],
    ["allow", "read(x)", "allow read"],
    ["ask", "read", "ask read"],
    ["deny", "web(https://example.com/x)", "an address as host"],
  ])("refuses %s %j: %s (PAR-PERM-10)", (effect, text) => {
    let thrown: unknown;
    try {
      parseRule(effect, text);
    } catch (error) {
      thrown = error;
    }
    expect(isReason(thrown, "BAD_RULE") && thrown.metadata["rule"]).toBe(text);
  });
});

describe("matchRules", () => {
  const paths = (...targets: string[]): RuleTarget[] => targets.map((target) => ({ kind: "write", target }));

  it.each([
    ["write(docs/**)", "docs/a.md", true],
    ["write(docs/**)", "docs/a/b.md", true],
    ["write(docs/**)", "docs", false],
    ["write(docs/)", "docs", true],
    ["write(docs/)", "docs/a/b.md", true],
    ["write(docs/)", "docsx", false],
    ["write(*.md)", "a.md", true],
    ["write(*.md)", "a/b.md", false],
    ["write(**/*.md)", "b.md", true],
    ["write(**/*.md)", "a/c/b.md", true],
    ["write(a/**/z)", "a/z", true],
    ["write(a/**/z)", "a/b/c/z/deep", true],
    ["write(a?c)", "abc", true],
    ["write(a?c)", "a/c", false],
    ["write(./src)", "src/x", true],
    ["write(src)", "/home/ann/w [1]/src/x", true],
    ["write(/home/ann/w [1]/src)", "src/x", true],
    ["write(~/notes)", "/home/ann/notes/x", true],
    ["write(~/notes)", "notes/x", false],
    ["write(/etc)", "/etc/passwd", true],
    ["write(docs)", "src/../docs/a", true],
    ["write(docs)", "docs/../src/a", false],
    ["write(../other)", "/home/ann/other/x", true],
    ["write", "/anywhere/at/all", true],
    ["write(Docs)", "docs", false],
    ["delete(docs)", "docs", false],
  ])("%s on %s: %s (APR-54)", (rule, target, matches) => {
    expect(decide([`deny ${rule}`], paths(target))).toBe(
      matches ? `deny ${rule === "write" ? "write(*)" : rule}` : "nothing",
    );
  });

  it("ignores case in paths where the system does (APR-54)", () => {
    const set = compileRules([parseRule("deny", "write(Docs/*.MD)")], { ...PLACES, ignoreCase: true });
    expect(matchRules(set, paths("docs/a.md"), "t")?.effect).toBe("deny");
  });

  it.each<[RuleKind, string, string, boolean]>([
    ["web", "web(example.com)", "EXAMPLE.com.", true],
    ["web", "web(*.example.com)", "example.com", true],
    ["web", "web(*.example.com)", "a.b.example.com", true],
    ["web", "web(*.example.com)", "badexample.com", false],
    ["mcp", "mcp(git*:*)", "GitHub:create/issue", true],
    ["mcp", "mcp(git*:*)", "other:x", false],
    ["search", "search(brave)", "Brave", true],
    ["skill", "skill(a?)", "ab", true],
    ["shell", "shell(rm)", "rm -rf x", true],
    ["shell", "shell(rm)", "rmdir x", false],
    ["shell", "shell(re:r.*x)", "rm\nx", true],
  ])("%s rule %s on %s: %s", (kind, rule, target, matches) => {
    expect(decide([`deny ${rule}`], [{ kind, target }])).toBe(matches ? `deny ${rule}` : "nothing");
  });

  it("lets deny win over ask and ask over allow; deny and ask need one target, allow all (APR-55)", () => {
    const rules = ["allow write(src)", "ask write(src/a)", "deny write(src/a/b)"];
    expect(decide(rules, paths("src/x", "src/a/b"))).toBe("deny write(src/a/b)");
    expect(decide(rules, paths("src/x", "src/a/c"))).toBe("ask write(src/a)");
    expect(decide(rules, paths("src/x", "src/y"))).toBe("allow write(src)");
    expect(decide(rules, paths("src/x", "lib/y"))).toBe("nothing");
    expect(decide(rules, [...paths("src/x"), { kind: "delete", target: "src/y" }])).toBe("nothing");
    expect(decide(["allow write", "allow delete"], [...paths("a"), { kind: "delete", target: "b" }])).toBe(
      "allow write(*)",
    );
    expect(decide(rules, [])).toBe("nothing");
  });

  it("applies a tool's name in any case to every request of it (APR-56)", () => {
    expect(decide(["deny My_Tool"], [], "my_tool")).toBe("deny My_Tool");
    expect(decide(["ask My_Tool", "allow write"], paths("a"), "my_tool")).toBe("ask My_Tool");
    expect(decide(["allow My_Tool"], paths("a"), "my_tool")).toBe("allow My_Tool");
    expect(toolRule(compileRules([parseRule("deny", "x")], PLACES), "deny", "y")).toBeUndefined();
  });

  it("never lets a shell rule allow a command outside the command policy (APR-57)", () => {
    expect(decide(["allow shell"], [{ kind: "shell", target: "ls" }])).toBe("nothing");
  });

  it("lets only a rule that names it allow a control file (FS-102)", () => {
    const hook = paths(".git/hooks/pre-commit");
    expect(decide(["allow write", "allow write(.git/**)", "allow write(.git)", "allow t"], hook, "t", true)).toBe(
      "nothing",
    );
    expect(decide(["allow write(.git/hooks/pre-commit)"], hook, "t", true)).toBe("allow write(.git/hooks/pre-commit)");
    expect(decide(["deny write(.git/**)"], hook, "t", true)).toBe("deny write(.git/**)");
  });

  it("decides with 500 rules without trying them all again and again (05 §9)", () => {
    const rules = Array.from({ length: 500 }, (_unused, i) => parseRule("deny", `write(**/dir${i}/*.x)`));
    const set = compileRules(rules, PLACES);
    for (let i = 0; i < 50; i++) expect(matchRules(set, paths(`a/b/dir${i}/y.z`), "t")).toBeUndefined();
  });
});
