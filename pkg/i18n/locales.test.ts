// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openLocales } from "./index.js";

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

describe("openLocales", () => {
  it.each([
    ["es", "es"],
    ["ES_es", "es-ES"],
    ["es-ES", "es-ES"],
    ["ES-sp", "es"],
    [" spanish ", "es"],
    ["Español", "es"],
    ["fr-ca", "fr-CA"],
    ["Canadian French", "fr-CA"],
    ["french", "fr"],
    ["Deutsch", "de"],
    ["Brazilian Portuguese", "pt-BR"],
    ["english", "en"],
    ["en-XA", "en-XA"],
    ["", undefined],
    ["  ", undefined],
    ["klingonish", undefined],
    ["klingon", undefined],
    ["__proto__", undefined],
  ])("reads %j as %s (I18N-10)", async (input, tag) => {
    expect((await openLocales({})).find(input)?.tag).toBe(tag);
  });

  it.each([
    ["en-GB", true],
    ["en-XA", true],
    ["es-MX", true],
    ["fr", true],
    ["de", false],
  ])("knows whether %s has words: %s (I18N-04)", async (input, expected) => {
    expect((await openLocales({})).find(input)?.hasCatalog).toBe(expected);
  });

  it("lists languages with a catalog by their own names, a person's own among them (I18N-01)", async () => {
    const dir = mkdtempSync(path.join(tmpdir(), "blitz-locales-"));
    dirs.push(dir);
    writeFileSync(path.join(dir, "a.json"), JSON.stringify({ meta: { locale: "de" }, messages: { a: "b" } }));
    const { available, find } = await openLocales({ localesDir: dir });
    expect(available).toEqual([
      { tag: "en-US", name: "American English", hasCatalog: true },
      { tag: "es", name: "español", hasCatalog: true },
      { tag: "fr-CA", name: "français canadien", hasCatalog: true },
      { tag: "de", name: "Deutsch", hasCatalog: true },
    ]);
    expect(find("German")?.hasCatalog).toBe(true);
  });
});
