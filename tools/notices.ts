// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The third-party notices of a bundle: what it contains of other packages, with their license texts (25 RR-04).

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { BSD_3_CLAUSE, MIT } from "./license-texts.ts";

/** The part of esbuild's metafile that says what is in the written files. */
export interface BundleContents {
  readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>>;
}

/** A package that is in a bundle. */
interface Component {
  readonly name: string;
  readonly version: string;
  /** As declared: an SPDX expression. */
  readonly license: string;
  readonly texts: readonly string[];
}

/** Licenses a bundled package may have; another one is a decision to make, so it ends the build. */
const ACCEPTED: ReadonlySet<string> = new Set([
  "Apache-2.0",
  "MIT",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "0BSD",
  "MPL-2.0",
  "Unlicense",
  "CC0-1.0",
  "BlueOak-1.0.0",
  "Python-2.0",
]);

const APACHE_BELOW: string = "The text of the Apache License 2.0 is at the end.";

/** For packages that come without a license file. */
const STANDARD_TEXTS: Readonly<Record<string, string>> = {
  MIT,
  "BSD-3-Clause": BSD_3_CLAUSE,
  "Apache-2.0": APACHE_BELOW,
};

const RULE: string = "-".repeat(79);

/**
 * The notices of everything a bundle has from `node_modules`, sorted by name, the same on every machine.
 *
 * @throws Error naming the package whose license isn't accepted or whose text can't be had
 */
export function renderNotices(root: string, bundle: BundleContents): string {
  const apache = readFileSync(path.join(root, "LICENSE"), "utf8");
  const components = packagesIn(bundle)
    .map((dir) => componentAt(path.join(root, dir), apache))
    .toSorted((one, other) => compare(one.name, other.name) || compare(one.version, other.version));
  const blocks = components.map(
    ({ name, version, license, texts }) => `${name} ${version}\nLicense: ${license}\n\n${texts.join("\n\n")}`,
  );
  const head = "This program contains the packages below, each under its own license.";
  return `${[head, ...blocks, `Apache License 2.0\n\n${framed(apache)}`].join(`\n\n${RULE}\n`)}\n`;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Folders of the packages that bytes of the bundle come from, below the root. */
function packagesIn({ outputs }: BundleContents): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const dirs = inputs.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(dirs.filter((dir) => dir !== undefined))];
}

function componentAt(dir: string, apache: string): Component {
  const manifest = JSON.parse(readFileSync(path.join(dir, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
    readonly author?: string | { readonly name: string };
  };
  const { name, version, license = "", author = `the authors of ${name}` } = manifest;
  const ids = license.replace(/[()]/g, "").split(/ (?:AND|OR) /);
  const strange = ids.find((id) => !ACCEPTED.has(id));
  if (strange !== undefined) throw new Error(`${name} ${version}: license "${strange}" isn't one of tools/notices.ts`);
  const own = filesOf(dir).map((text) => (sameText(text, apache) ? APACHE_BELOW : text));
  const holder = typeof author === "string" ? author : author.name;
  const texts = own.length > 0 ? own : ids.map((id) => standardText(id, holder, `${name} ${version}`));
  return { name, version, license, texts };
}

/** License and notice files, in the order of their names. */
function filesOf(dir: string): readonly string[] {
  return readdirSync(dir)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .toSorted(compare)
    .map((file) => framed(readFileSync(path.join(dir, file), "utf8")));
}

/** Without the blank lines around it; the first line keeps its indentation. */
function framed(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/^\s*\n|\s+$/g, "");
}

function sameText(one: string, other: string): boolean {
  return one.replace(/\s+/g, " ").trim() === other.replace(/\s+/g, " ").trim();
}

function standardText(id: string, holder: string, component: string): string {
  const text = STANDARD_TEXTS[id];
  if (text === undefined) throw new Error(`${component} has no license file, and tools/notices.ts no text of ${id}`);
  return text.replace("<holder>", holder);
}
