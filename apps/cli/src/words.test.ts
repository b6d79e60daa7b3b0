// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { localeOf, openWords } from "./words.js";

const program = (env: Readonly<Record<string, string>>) => ({
  env,
  configDir: "/nowhere",
  stderr: { isTty: false, colour: false, closed: () => false, flush: async () => undefined, write: () => undefined },
});
const settings = (locale: string, source: string) => ({
  config: { ui: { locale, locales_dir: "/nowhere" } },
  sourceOf: () => source,
});

describe("localeOf", () => {
  it.each([
    [{ LANG: "es_ES.UTF-8" }, "es-ES"],
    [{ LANG: "es_ES.UTF-8", LC_MESSAGES: "fr_CA" }, "fr-CA"],
    [{ LC_ALL: "de_DE@euro", LC_MESSAGES: "fr_CA" }, "de-DE"],
    [{ LC_ALL: "", LANG: "C.UTF-8" }, "en-US"],
    [{ LANG: "POSIX" }, "en-US"],
    [{}, "en-US"],
  ])("%j means %s", (env, tag) => {
    expect(localeOf(env)).toBe(tag);
  });
});

describe("openWords", () => {
  it.each([
    ["the environment without settings", undefined, "Nada que deshacer."],
    ["the environment when the settings name none", settings("en-US", "default"), "Nada que deshacer."],
    ["the environment when the setting is empty", settings("", "global"), "Nada que deshacer."],
    ["the settings before the environment", settings("fr-CA", "global"), "Rien à annuler."],
  ])("speaks the language of %s (I18N-20)", async (_name, given, text) => {
    expect((await openWords(program({ LANG: "es_ES.UTF-8" }), given)).t("undo.nothing")).toBe(text);
  });
});
