// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { missingFrom, problemsOf } from "./catalog-problems.js";
import { EN_US, openMessages } from "./index.js";
import { chainOf, SHIPPED } from "./open-messages.js";

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function localesDir(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(path.join(tmpdir(), "blitz-locales-"));
  dirs.push(dir);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text);
  return dir;
}

const catalog = (locale: string, messages: unknown): string => JSON.stringify({ meta: { locale }, messages });

async function open(locale: string, files: Readonly<Record<string, string>> = {}) {
  const warnings: string[] = [];
  const dir = localesDir(files);
  const messages = await openMessages({ locale, localesDir: dir, warn: (one) => void warnings.push(one) });
  return { ...messages, warnings: warnings.map((one) => one.replace(`${dir}${path.sep}`, "")) };
}

describe("shipped catalogs", () => {
  it.each(Object.entries(SHIPPED))(
    "%s has every key, the same placeholders and letters (I18N-05)",
    async (_tag, load) => {
      const loaded = await load();
      expect(problemsOf(loaded, EN_US)).toEqual([]);
      expect(missingFrom(loaded, EN_US)).toEqual([]);
    },
  );

  it.each([...Object.keys(SHIPPED), "en-XA"])("%s renders every plural", async (tag) => {
    const { t } = await openMessages({ locale: tag });
    for (const [key, english] of Object.entries(EN_US)) {
      const names = [...english.matchAll(/\{(\w+)(,\s*plural)?/g)];
      const values = Object.fromEntries(names.map(([, name = "", counts]) => [name, counts === undefined ? "X" : 2]));
      expect(t(key, values), key).not.toMatch(/[{}]/);
    }
  });
});

describe("problemsOf", () => {
  it("tells an unknown key, another placeholder and a translated answer letter", () => {
    const english = { greet: "Hi {name}", yes: "[y] yes" };
    expect(problemsOf({ greet: "Hola {nombre}", yes: "[s] sí", more: "?" }, english)).toEqual([
      "greet: other placeholders than in English",
      "yes: other answer letters than in English",
      "more: unknown key",
    ]);
  });
});

describe("openMessages", () => {
  it.each([
    ["es", "Nada que deshacer."],
    ["es-MX", "Nada que deshacer."],
    ["es_ES", "Nada que deshacer."],
    ["fr-CA", "Rien à annuler."],
    ["fr", "Rien à annuler."],
    ["fr-FR", "Rien à annuler."],
    ["de", "Nothing to undo."],
    ["en-XA", "⟦Ñóthíñg tó úñdó.⟧"],
  ])("%s says %s (I18N-04, 06)", async (locale, text) => {
    const { t, warnings } = await open(locale);
    expect([t("undo.nothing"), warnings]).toEqual([text, []]);
  });

  it.each(["klingonish", "!!"])("%s warns and is English (I18N-11)", async (locale) => {
    const { t, warnings } = await open(locale);
    expect(t("undo.nothing")).toBe("Nothing to undo.");
    expect(warnings).toEqual([`ui.locale: no language "${locale}"; the interface is in English`]);
  });

  it("takes a new language and one corrected phrase from files (I18N-01)", async () => {
    const files = {
      "de.json": catalog("de", { "undo.nothing": "Nichts rückgängig zu machen." }),
      "es.json": catalog("es", { "undo.nothing": "Nada." }),
    };
    const [german, spanish] = [await open("de-AT", files), await open("es", files)];
    expect([german.t("undo.nothing"), german.t("approvals.never")]).toEqual(["Nichts rückgängig zu machen.", "never"]);
    expect([spanish.t("undo.nothing"), spanish.t("approvals.never")]).toEqual(["Nada.", "nunca"]);
  });

  it("warns of each broken file and loads the rest (I18N-01)", async () => {
    const { t, warnings } = await open("es", {
      "a.json": catalog("no language!", { x: "y" }),
      "b.json": catalog("es", {}),
      "c.json": catalog("es", { "undo.nothing": 7 }),
      "d.json": "{",
      "e.json": catalog("es", { "undo.nothing": "Nada." }),
      "f.json": catalog("es", { "undo.nothing": "{count, plural, one {una}}" }),
      "g.json": catalog("es", { "n.one": "{", "n.other": "{count} cosas" }),
    });
    expect(t("undo.nothing")).toBe("Nada.");
    expect(warnings.map((one) => one.split(":")[0])).toEqual([
      "a.json",
      "b.json",
      "c.json",
      "d.json",
      "f.json",
      "g.json",
    ]);
  });

  it("reads a plural of the older form (00 decision 23)", async () => {
    const { t } = await open("es", {
      "es.json": catalog("es", { "n.one": "{count} cosa", "n.other": "{count} cosas" }),
    });
    expect([1, 2].map((count) => t("n", { count }))).toEqual(["1 cosa", "2 cosas"]);
  });

  it("takes __proto__ as a key like any other", async () => {
    const file = '{"meta":{"locale":"es"},"messages":{"__proto__":"proto","undo.nothing":"Nada."}}';
    const { t, warnings } = await open("es", { "es.json": file });
    expect([t("__proto__"), t("undo.nothing"), warnings]).toEqual(["proto", "Nada.", []]);
    expect(({} as Record<string, unknown>)["undo.nothing"]).toBeUndefined();
  });
});

describe("chainOf", () => {
  it.each([
    ["fr-CA", ["fr-CA", "fr", "en-US"]],
    ["fr", ["fr", "fr-CA", "en-US"]],
    ["es-MX", ["es-MX", "es", "en-US"]],
    ["en-US", ["en-US", "en"]],
  ])("%s goes along %j", (tag, chain) => {
    expect(chainOf(tag, ["es", "fr-CA"])).toEqual(chain);
  });
});
