// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { EN_US, loadMessages } from "./index.js";

const chain = [
  { greet: "Hola {name}" },
  { greet: "Hello {name}", only: "Only English", files: "{count, plural, one {# file} other {# files}}" },
];
const messages = await loadMessages("en-US", chain);

describe("loadMessages", () => {
  it.each([
    ["the nearest catalog first (I18N-04)", "greet", { name: "Ana" }, "Hola Ana"],
    ["the next one for a key it lacks", "only", {}, "Only English"],
    ["the key itself when there is no message", "nowhere", {}, "nowhere"],
    ["no value from a prototype", "constructor", {}, "constructor"],
    ["a placeholder without a value as written (I18N-11a)", "greet", {}, "Hola {name}"],
    ["a value that holds a placeholder as text", "greet", { name: "{name}" }, "Hola {name}"],
    ["ICU plurals for one", "files", { count: 1 }, "1 file"],
    ["ICU plurals for many", "files", { count: 1_200 }, "1,200 files"],
  ])("renders %s", (_name, key, values, text) => {
    expect(messages.t(key, values)).toBe(text);
  });

  it("uses the language's own plural forms (I18N-11b)", async () => {
    const french = await loadMessages("fr-CA", [{ files: "{count, plural, one {# fichier} other {# fichiers}}" }]);
    expect([0, 1, 2].map((count) => french.t("files", { count }))).toEqual(["0 fichier", "1 fichier", "2 fichiers"]);
  });
});

describe("EN_US", () => {
  it.each(Object.entries(EN_US))("%s renders with every placeholder filled", async (key, message) => {
    // A number where the message counts, a text elsewhere.
    const names = [...message.matchAll(/\{(\w+)(,\s*plural)?/g)];
    const values = Object.fromEntries(names.map(([, name = "", counts]) => [name, counts === undefined ? "X" : 2]));
    const text = (await loadMessages("en-US", [EN_US])).t(key, values);
    expect(text).not.toMatch(/[{}]/);
    expect(text).not.toBe("");
  });
});
