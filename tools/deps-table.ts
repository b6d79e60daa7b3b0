// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The import table, read from tools/deps.json: which package and which room may import which (28 §2).

import { readFileSync } from "node:fs";
import path from "node:path";

/** One row for a package. Paths are relative to the repository's root, with forward slashes. */
export interface PackageRow {
  readonly uses: readonly string[];
  /** Packages its tests may import beside those. */
  readonly testUses?: readonly string[];
  /** Packages that only one file may import, by `import()`, so that starting up doesn't load them. */
  readonly lazily?: Readonly<Record<string, string>>;
  /** No `node:` import, clock or randomness. */
  readonly pure?: boolean;
  /** Only tests, tools and the benchmark may import it. */
  readonly testOnly?: boolean;
  /** A folder of programs: it may use test-only packages and has no door. */
  readonly program?: boolean;
}

/** One row for a room of the engine. */
export interface RoomRow {
  readonly floor: number;
  /** Rooms, or every room of a lower floor, or every room. */
  readonly may: readonly string[] | "floors 0–5" | "all";
  /** The room whose files this folder may import as if it were inside. */
  readonly secondDoorOf?: string;
  /** May touch files, processes and the network above floor 1. */
  readonly effects?: boolean;
  /** Tags of the room's Bazel test. */
  readonly testTags?: readonly string[];
}

/** The whole table. */
export interface DepsTable {
  readonly packages: Readonly<Record<string, PackageRow>>;
  readonly rooms: Readonly<Record<string, RoomRow>>;
  /** The only packages that may reach the engine, themselves or through others; lazy loading aside. */
  readonly engineUsers: readonly string[];
  /** The engine's own door and the rooms it may export from. */
  readonly entry: { readonly file: string; readonly may: readonly string[] };
  /** What the Bazel tests of packages without rooms need. */
  readonly packageTests?: Readonly<Record<string, TestNeeds>>;
}

/** What a Bazel test needs beyond its sources. */
export interface TestNeeds {
  readonly tags?: readonly string[];
  /** Targets whose files it reads. */
  readonly data?: readonly string[];
  /** How long it may take, in Bazel's sizes; `medium` when left out. */
  readonly size?: "small" | "medium" | "large" | "enormous";
}

/** The folder that holds the engine's rooms. */
export const ENGINE = "pkg/engine";

/** Reads `tools/deps.json` under a root. Throws when it is missing or not JSON. */
export function readTable(root: string): DepsTable {
  return JSON.parse(readFileSync(path.join(root, "tools", "deps.json"), "utf8")) as DepsTable;
}

/** The rooms a room may import, with "floors 0–5" and "all" spelled out. */
export function roomsAllowed(table: DepsTable, room: string): readonly string[] {
  const row = table.rooms[room];
  if (row === undefined) return [];
  if (row.may === "all") return Object.keys(table.rooms).filter((other) => other !== room);
  if (row.may === "floors 0–5")
    return Object.entries(table.rooms)
      .filter(([, other]) => other.floor < 6 && other.secondDoorOf === undefined)
      .map(([name]) => name);
  return row.may;
}

/** The room a file belongs to: the longest listed folder around it. */
export function roomOf(table: DepsTable, file: string): string | undefined {
  if (!file.startsWith(`${ENGINE}/`)) return undefined;
  for (let dir = path.posix.dirname(file); dir.length > ENGINE.length; dir = path.posix.dirname(dir)) {
    const room = dir.slice(ENGINE.length + 1);
    if (table.rooms[room] !== undefined) return room;
  }
  return undefined;
}

/** The package a file belongs to: `pkg/x`, `apps/x` or a top folder such as `tools`. */
export function packageOf(file: string): string {
  const [top = "", name = ""] = file.split("/");
  return top === "pkg" || top === "apps" ? `${top}/${name}` : top;
}
