// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import path from "node:path";
import { describe, expect, it } from "vitest";
import { checkMessages } from "./check-messages.ts";
import { plantTree } from "./fixture-tree.ts";

const CATALOG = "pkg/i18n/catalogs/en-us.ts";

describe("checkMessages (I18N-07, I18N-09)", () => {
  it("tells unused and misspelt keys, and knows built ones by their beginning", () => {
    using tree = plantTree({
      [CATALOG]: 'export const EN_US = {\n  "a.used": "",\n  "a.picked": "",\n  "b.one": "",\n  "a.unused": "",\n};\n',
      "apps/x/y.ts": 't("a.used");\nmessages.t("a.misspelt");\nt(`b.${one}`);\nconst picked = yes ? "a.picked" : "";\n',
      "apps/x/y.test.ts": 't("a.unused"); t("a.of_a_test");\n',
    });
    expect(checkMessages(tree.root)).toEqual({
      files: 2,
      note: "4 keys, 2 asked for by name",
      problems: [
        { file: CATALOG, line: 5, rule: "messages", text: "a.unused is used nowhere" },
        { file: "apps/x/y.ts", line: 2, rule: "messages", text: "the catalog has no a.misspelt" },
      ],
    });
  });

  it("takes a translation's keys for no mention", () => {
    using tree = plantTree({
      [CATALOG]: 'export const EN_US = { "a.b": "" };\n',
      "pkg/i18n/catalogs/es.ts": 'export const ES = { "a.b": "" };\n',
    });
    expect(checkMessages(tree.root).problems).toMatchObject([{ text: "a.b is used nowhere" }]);
  });

  it("reads nothing, so fails, without a catalog", () => {
    using tree = plantTree({ "apps/x/y.ts": 't("a.b");' });
    expect(checkMessages(tree.root)).toEqual({ files: 0, problems: [] });
  });

  it("finds this project's catalog in step with its sources", () => {
    const { files, problems, note = "" } = checkMessages(path.resolve(import.meta.dirname, ".."));
    const [keys = 0, asked = 0] = [...note.matchAll(/\d+/g)].map(Number);
    expect(files).toBeGreaterThan(100);
    expect(keys).toBeGreaterThan(100);
    expect(asked).toBeGreaterThan(30);
    expect(problems).toEqual([]);
  });
});
