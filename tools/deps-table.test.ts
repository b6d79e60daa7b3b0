// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ENGINE, readTable, roomOf, roomsAllowed } from "./deps-table.ts";

const ROOT: string = path.resolve(import.meta.dirname, "..");
const TABLE = readTable(ROOT);
const PAGE: string = readFileSync(path.join(ROOT, "docs/architecture/architecture.md"), "utf8");

/** The rows of the table under a heading: cells without the outer bars. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const section = PAGE.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const namesIn = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

describe("the architecture page", () => {
  it("has the rooms, floors and imports of tools/deps.json, in its order (MR-02)", () => {
    const shown: [string, number, unknown][] = [];
    let floor = -1;
    for (const [first = "", , may = ""] of rowsUnder("Rooms")) {
      const heading = /^\*\*(\d) · /.exec(first);
      if (heading) floor = Number(heading[1]);
      else shown.push([namesIn(first)[0] ?? "", floor, may.startsWith("`") ? namesIn(may) : may]);
    }
    const listed = Object.entries(TABLE.rooms).map(([room, row]) => [
      room,
      row.floor,
      typeof row.may === "string" ? row.may : row.may.length === 0 ? "–" : row.may,
    ]);
    expect(shown).toEqual(listed);
  });

  it("calls planned exactly the rooms that have no folder", () => {
    const planned = rowsUnder("Rooms").flatMap(([room = "", purpose = ""]) =>
      purpose.startsWith("*planned*") ? namesIn(room) : [],
    );
    const missing = Object.keys(TABLE.rooms).filter((room) => !existsSync(path.join(ROOT, ENGINE, room)));
    expect(planned).toEqual(missing);
  });

  it("has the uses of every package it shows, and shows every package there is (28 §2)", () => {
    const rows = rowsUnder("Packages").map(([name = "", , uses = ""]) => [namesIn(name)[0] ?? "", namesIn(uses)]);
    const present = Object.entries(TABLE.packages)
      .filter(([dir]) => /^(pkg|apps)\/|^proto$/.test(dir) && existsSync(path.join(ROOT, dir)))
      .map(([dir, { uses }]) => [dir, uses]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(present));
  });

  it("names the rooms that touch the world above floor 1", () => {
    const rule = PAGE.split("\n").find((line) => line.startsWith("6. ")) ?? "";
    const withEffects = Object.entries(TABLE.rooms).flatMap(([room, { effects }]) => (effects === true ? [room] : []));
    expect(namesIn(rule).filter((name) => TABLE.rooms[name] !== undefined)).toEqual(withEffects);
  });
});

describe("roomOf", () => {
  it.each([
    ["pkg/engine/grant/grant.ts", "grant"],
    ["pkg/engine/grant/mint/index.ts", "grant/mint"],
    ["pkg/engine/models/openai/x/y.ts", "models"],
    ["pkg/engine/tools/file/edit.ts", "tools/file"],
    ["pkg/engine/index.ts", undefined],
    ["pkg/engine/nowhere/x.ts", undefined],
    ["pkg/api/index.ts", undefined],
  ])("puts %s in %s", (file, room) => {
    expect(roomOf(TABLE, file)).toBe(room);
  });
});

describe("roomsAllowed", () => {
  it("gives services everything below and workspace everything but itself", () => {
    const all = Object.keys(TABLE.rooms);
    expect(roomsAllowed(TABLE, "services")).not.toContain("workspace");
    expect(roomsAllowed(TABLE, "services")).toContain("turn");
    expect(roomsAllowed(TABLE, "services")).not.toContain("grant/mint");
    expect(roomsAllowed(TABLE, "workspace")).toEqual(all.filter((room) => room !== "workspace"));
    expect(roomsAllowed(TABLE, "nowhere")).toEqual([]);
  });

  it("lets only approvals and workspace make grants (rule 5 of the house)", () => {
    const makers = Object.keys(TABLE.rooms).filter((room) => roomsAllowed(TABLE, room).includes("grant/mint"));
    expect(makers).toEqual(["approvals", "workspace"]);
  });
});
