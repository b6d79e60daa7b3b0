// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { withValue } from "./edit-toml.js";
import { SETTINGS, settingsTemplate } from "./index.js";

/** Every setting that is a text, and names with blanks, dots and quotes. */
const NAMES: readonly (readonly string[])[] = [
  ...SETTINGS.filter(({ type }) => type.kind === "text").map(({ key }) => key.split(".")),
  ["agent_models", "my agent"],
  ["agent_models", 'a "b"'],
  ["agent_models", "x.y"],
];

const comments = (text: string): readonly string[] => text.split("\n").filter((line) => line.startsWith("#"));

describe("withValue (CFG-20, 21)", () => {
  it("keeps every comment and every other value, whatever is written, edit after edit", async () => {
    const edit = fc.record({ names: fc.constantFrom(...NAMES), value: fc.string({ unit: "binary" }) });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 8 }), async (edits) => {
        let text = settingsTemplate();
        const written = new Map<string, string>();
        for (const { names, value } of edits) {
          text = await withValue(text, { names, value, isFloat: false });
          written.set(names.join("\0"), value);
        }
        expect(comments(text)).toEqual(comments(settingsTemplate()));
        expect(leaves(parse(text))).toEqual(Object.fromEntries(written));
      }),
      { numRuns: 25 },
    );
  });

  it("gives up where the editor doesn't write what was meant", async () => {
    // The library turns a line break between single quotes into the file's CRLF.
    const text = "[ui]\r\nlocale = 'es'\r\n";
    const error: unknown = await withValue(text, { names: ["ui", "locale"], value: "a\nb", isFloat: false }).catch(
      (problem: unknown) => problem,
    );
    expect(isReason(error, "INVALID_SETTING")).toBe(true);
  });
});

/** The values of a tree by their keys, the parts joined by NUL. */
function leaves(tree: object, above: readonly string[] = []): Readonly<Record<string, unknown>> {
  return Object.assign(
    {},
    ...Object.entries(tree).map(([name, value]: [string, unknown]) =>
      typeof value === "object" && value !== null
        ? leaves(value, [...above, name])
        : { [[...above, name].join("\0")]: value },
    ),
  ) as Readonly<Record<string, unknown>>;
}
