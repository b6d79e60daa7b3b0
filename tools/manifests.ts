// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// What the workspace's package.json files declare.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

interface Manifest {
  readonly name: string;
  readonly exports?: string | Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Answers about the packages of a workspace; folders are relative to its root. */
export interface Manifests {
  /** The folder of a package of this repository, by its npm name. */
  folderOf(name: string): string | undefined;
  /** Whether a folder's package.json (for `dev`, the root's too) declares an npm package or its types. */
  declares(folder: string, name: string, dev: boolean): boolean;
  /** Whether a package exports a path; `subpath` is "" for the package itself, else starts with "/". */
  exports(folder: string, subpath: string): boolean;
}

/** Reads the manifests of the root, `bench`, `proto` and everything directly under `pkg` and `apps`. */
export function readManifests(root: string): Manifests {
  const folders = [".", "bench", "proto"];
  for (const top of ["pkg", "apps"])
    if (existsSync(path.join(root, top))) folders.push(...readdirSync(path.join(root, top)).map((n) => `${top}/${n}`));
  const manifests = new Map<string, Manifest>();
  for (const folder of folders) {
    const file = path.join(root, folder, "package.json");
    if (existsSync(file)) manifests.set(folder, JSON.parse(readFileSync(file, "utf8")) as Manifest);
  }
  const byName = new Map([...manifests].map(([folder, { name }]) => [name, folder]));
  const has = (manifest: Manifest | undefined, name: string, dev: boolean): boolean =>
    manifest?.dependencies?.[name] !== undefined || (dev && manifest?.devDependencies?.[name] !== undefined);
  return {
    folderOf: (name) => byName.get(name),
    declares: (folder, name, dev) =>
      has(manifests.get(folder), name, dev) || (dev && has(manifests.get("."), name, dev)),
    exports: (folder, subpath) => {
      const declared = manifests.get(folder)?.exports;
      if (declared === undefined) return false;
      return typeof declared === "string" ? subpath === "" : declared[`.${subpath}`] !== undefined;
    },
  };
}
