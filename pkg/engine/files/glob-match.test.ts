// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { compileBlocked } from "./blocked-paths.js";
import { compileGlobName, compileGlobPath } from "./glob-match.js";

const plain = { ignoreCase: false } as const;

describe("globs", () => {
  it.each([
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/b/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/a/b/c.ts", true],
    ["**/a/**/b", "x/a/y/z/b", true],
    ["**/a/**/b", "a/b", true],
    ["**/a/**/b", "a/c", false],
    ["**", "any/where", true],
    ["a/**", "b/c", false],
    ["**.ts", "a.ts", true],
    ["**.ts", "d/a.ts", false],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["a?c", "a😀c", true],
    ["(a|b)+$.ts", "(a|b)+$.ts", true],
    ["[id]/page.tsx", "[id]/page.tsx", true],
    ["[id]/page.tsx", "i/page.tsx", false],
    ["A.TS", "a.ts", false],
  ])("%s on %s: %s (FS-11)", (pattern, path, matched) => {
    expect(compileGlobPath(pattern, plain)(path)).toBe(matched);
  });

  it.each([
    ["*.[ch]", "a.c", true],
    ["*.[ch]", "a.x", false],
    ["[a-c1]", "b", true],
    ["[!a-c]", "b", false],
    ["[^a-c]", "d", true],
    ["[]]", "]", true],
    ["[a", "[a", true],
    ["[a-]", "-", true],
  ])("%s on %s with classes: %s", (pattern, name, matched) => {
    expect(compileGlobName(pattern, { ignoreCase: false, classes: true })(name)).toBe(matched);
  });

  it("takes no notice of case where names don't (FS-12)", () => {
    expect(compileGlobPath("SRC/*.Ts", { ignoreCase: true })("src/A.tS")).toBe(true);
  });

  it("never hangs, whatever the pattern (T-FS-2)", { timeout: 5_000 }, () => {
    expect(compileGlobName(`${"*a".repeat(100)}b`, plain)("a".repeat(255))).toBe(false);
    expect(compileGlobPath(`${"**/a/".repeat(50)}b`, plain)("a/".repeat(200))).toBe(false);
  });
});

describe("blocked paths", () => {
  const patterns = [".env", "*.pem", ".env.*.local", "~/.ssh", "/etc/*/keys", "config/secret", "**/deep/x"];
  const compile = (ignoreCase: boolean): ReturnType<typeof compileBlocked> =>
    compileBlocked(patterns, {
      home: "/home/me",
      roots: ["/ws", "/more"],
      ignoreCase,
      resolve: (place) => (place === "/home/me" ? "/Users/me" : place),
    });

  it.each([
    ["/ws/.env", ".env"],
    ["/ws/a/.env/b/c", ".env"],
    ["/ws/.envrc", undefined],
    ["/ws/.env.prod.local", ".env.*.local"],
    ["/ws/a/k.pem", "*.pem"],
    ["/ws/k.pem.txt", undefined],
    ["/home/me/.ssh/id", "~/.ssh"],
    ["/Users/me/.ssh", "~/.ssh"],
    ["/ws/.ssh", undefined],
    ["/etc/a/keys/1", "/etc/*/keys"],
    ["/etc/a/b/keys", undefined],
    ["/ws/config/secret/x", "config/secret"],
    ["/more/config/secret", "config/secret"],
    ["/ws/sub/config/secret", undefined],
    ["/ws/a/b/deep/x/y", "**/deep/x"],
    ["/", undefined],
  ])("%s: %s (FS-10)", (absolute, pattern) => {
    const blocked = compile(false);
    expect([blocked.match(absolute), blocked.match(absolute)]).toEqual([pattern, pattern]);
  });

  it("take no notice of case on macOS and Windows (FS-12)", () => {
    expect(compile(true).match("/ws/A/.ENV")).toBe(".env");
    expect(compile(true).match("/ws/CONFIG/Secret")).toBe("config/secret");
    expect(compile(false).match("/ws/.ENV")).toBeUndefined();
  });
});
