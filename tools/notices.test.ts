// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BundleContents, renderNotices } from "./notices.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "blitz-notices-"));
  put("LICENSE", "   Apache License\n  All of it.\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}

/** A package in the store, with a license file or without; the file of it that is bundled. */
function putPackage(name: string, manifest: object, licenseText?: string): string {
  const dir = `node_modules/.pnpm/${name.replace("/", "+")}@1.0.0/node_modules/${name}`;
  put(`${dir}/package.json`, JSON.stringify({ name, version: "1.0.0", ...manifest }));
  if (licenseText !== undefined) put(`${dir}/LICENSE.md`, licenseText);
  return `${dir}/dist/index.js`;
}

const bundle = (...inputs: readonly string[]): BundleContents => ({
  outputs: { "a.mjs": { inputs: Object.fromEntries(inputs.map((file) => [file, {}])) } },
});

describe("third-party notices (RR-04)", () => {
  it("have name, version, license and text of what is bundled, sorted, and the Apache text once", () => {
    const inputs = [
      putPackage("zebra", { license: "ISC" }, "\r\nFree\r\nfor all.\n\n"),
      putPackage("@ape/core", { license: "Apache-2.0" }, "Apache License\nAll of it."),
      "apps/cli/src/main.ts",
    ];
    putPackage("left-out", { license: "ISC" }, "Not bundled.");
    const notices = renderNotices(root, bundle(...inputs));
    expect(notices).toMatchInlineSnapshot(`
      "This program contains the packages below, each under its own license.

      -------------------------------------------------------------------------------
      @ape/core 1.0.0
      License: Apache-2.0

      The text of the Apache License 2.0 is at the end.

      -------------------------------------------------------------------------------
      zebra 1.0.0
      License: ISC

      Free
      for all.

      -------------------------------------------------------------------------------
      Apache License 2.0

         Apache License
        All of it.
      "
    `);
    expect(renderNotices(root, bundle(...inputs.toReversed()))).toBe(notices);
  });

  it("have the standard text and the author of a package without a license file", () => {
    const text = renderNotices(root, bundle(putPackage("bare", { license: "MIT", author: { name: "Ann" } })));
    expect(text).toContain("License: MIT\n\nCopyright (c) Ann\n\nPermission is hereby granted");
  });

  it("have both texts of a package under two licenses", () => {
    const text = renderNotices(root, bundle(putPackage("two", { license: "(Apache-2.0 AND BSD-3-Clause)" })));
    expect(text).toContain("is at the end.\n\nCopyright (c) the authors of two\n\nRedistribution");
  });

  it.each([
    ["no license", {}, 'license ""'],
    ["a license nobody accepted", { license: "GPL-3.0-only" }, "GPL-3.0-only"],
    ["an accepted license whose text is nowhere", { license: "ISC" }, "no license file"],
  ])("can't be made for a package with %s", (_name, manifest, why) => {
    expect(() => renderNotices(root, bundle(putPackage("odd", manifest)))).toThrow(why);
  });
});
