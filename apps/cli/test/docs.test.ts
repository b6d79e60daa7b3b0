// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadConfig } from "@blitz/config";
import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../src/command-line.js";
import { runOptionsOf } from "../src/run-options.js";

const ROOT: string = path.resolve(import.meta.dirname, "..", "..", "..");
const PAGES: readonly string[] = [
  "README.md",
  ...readdirSync(path.join(ROOT, "docs", "guide")).map((name) => `docs/guide/${name}`),
];

/** The code blocks of a language in a page. */
function blocks(page: string, language: string): string[] {
  const text = readFileSync(path.join(ROOT, page), "utf8");
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, "g"))].map((match) => match[1] ?? "");
}

/** Words of a shell line, quotes taken off. */
function words(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map((match) =>
    match[0].replace(/"([^"]*)"|'([^']*)'/g, "$1$2"),
  );
}

const commands = PAGES.flatMap((page) =>
  blocks(page, "sh")
    .flatMap((block) => block.split("\n"))
    .map((line) => /(?:^|\| )(?:\S*\/)?blitz (.*?)(?:\s+#.*)?$/.exec(line)?.[1])
    .filter((line) => line !== undefined)
    .map((line) => [page, line] as const),
);

describe("the guide", () => {
  it("shows commands at all", () => {
    expect(commands.length).toBeGreaterThan(8);
  });

  it.each(commands)("%s: blitz %s is a command line Blitz takes (RR-34)", (_page, line) => {
    expect(() => runOptionsOf(parseCommandLine(words(line)))).not.toThrow();
  });

  const settings = PAGES.flatMap((page) => blocks(page, "toml").map((block) => [page, block] as const));
  it.each(settings)("%s: its settings load without a warning (RR-34)", async (_page, block) => {
    const dir = mkdtempSync(path.join(tmpdir(), "blitz-docs-"));
    try {
      writeFileSync(path.join(dir, ".env.toml"), block);
      expect((await loadConfig({ dir, home: dir, env: {} })).warnings).toEqual([]);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
