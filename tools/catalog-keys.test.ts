// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT: string = path.resolve(import.meta.dirname, "..");

/** What sources say about keys: those given to `t` outright, any quoted text, and the beginnings of built ones. */
function mentionsIn(source: string): {
  readonly asked: readonly string[];
  readonly quoted: readonly string[];
  readonly prefixes: readonly string[];
} {
  const found = (pattern: RegExp): string[] => [...source.matchAll(pattern)].map(([, text = ""]) => text);
  return {
    asked: found(/\bt\(\s*"([\w.]+)"/g),
    quoted: found(/"([\w.]+)"/g),
    prefixes: found(/`([a-z_]+\.[\w.]*)\$\{/g),
  };
}

function unmentioned(keys: readonly string[], source: string): string[] {
  const { quoted, prefixes } = mentionsIn(source);
  const known = new Set(quoted);
  return keys.filter((key) => !known.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)));
}

function unknown(keys: readonly string[], source: string): string[] {
  return mentionsIn(source).asked.filter((key) => !keys.includes(key));
}

function sourcesOf(dir: string): string {
  const names = readdirSync(path.join(ROOT, dir), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  return files.map((name) => readFileSync(path.join(ROOT, dir, name), "utf8")).join("\n");
}

describe("catalog keys (I18N-09)", () => {
  const catalog = readFileSync(path.join(ROOT, "pkg/i18n/catalogs/en-us.ts"), "utf8");
  const keys = [...catalog.matchAll(/^ {2}"([\w.]+)":/gm)].map(([, key = ""]) => key);
  const sources = sourcesOf("apps/cli/src");

  it("finds keys and sources to look at", () => {
    expect(keys.length).toBeGreaterThan(100);
    expect(mentionsIn(sources).asked.length).toBeGreaterThan(30);
  });

  it("are each mentioned by a source", () => {
    expect(unmentioned(keys, sources)).toEqual([]);
  });

  it("exist for every one a source asks for", () => {
    expect(unknown(keys, sources)).toEqual([]);
  });

  it("are told when unused or misspelt, and known by the beginning of a built one", () => {
    const source = 't("a.used"); t("a.misspelt"); t(`b.${one}`); pick ? "a.picked" : "";';
    expect(unmentioned(["a.used", "a.picked", "b.one", "a.unused"], source)).toEqual(["a.unused"]);
    expect(unknown(["a.used"], source)).toEqual(["a.misspelt"]);
  });
});
