// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openHistory } from "./history.js";

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "blitz-history-"));
  file = path.join(dir, "deep", "history");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("the history (TUI-11)", () => {
  it("keeps entries of several lines, newest first and each once, for the owner alone", async () => {
    const first = await openHistory(file, 10);
    expect(first.entries).toEqual([]);
    for (const entry of ["one", "two\nlines", "one"]) await first.add(entry);
    expect((await openHistory(file, 10)).entries).toEqual(["one", "two\nlines"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is shared: what each of several writers keeps is there", async () => {
    const writers = await Promise.all([1, 2, 3, 4].map(() => openHistory(file, 1_000)));
    await Promise.all(
      writers.flatMap((writer, who) => Array.from({ length: 50 }, (_, at) => writer.add(`entry ${at} of ${who}`))),
    );
    expect((await openHistory(file, 1_000)).entries).toHaveLength(200);
  });

  it("skips the end of a cut write, and goes on behind it on a line of its own (T-SES-2)", async () => {
    const history = await openHistory(file, 10);
    await history.add("whole");
    appendFileSync(file, '"cut of');
    await history.add("after");
    expect((await openHistory(file, 10)).entries).toEqual(["after", "whole"]);
  });

  it("begins a new file when it has grown, and recalls across the two", async () => {
    const history = await openHistory(file, 5);
    for (let at = 0; at < 8; at++) await history.add(`entry ${at}`);
    await openHistory(file, 5);
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(`${file}.old`, "utf8").split("\n")).toHaveLength(9);
    await history.add("entry 8"); // a writer of before
    expect((await openHistory(file, 5)).entries).toEqual(["entry 8", "entry 7", "entry 6", "entry 5", "entry 4"]);
  });

  it("recalls nothing where nothing is wanted, and says when it can't be read", async () => {
    const history = await openHistory(file, 0);
    await history.add("kept all the same");
    expect((await openHistory(file, 0)).entries).toEqual([]);
    writeFileSync(path.join(dir, "blocked"), "");
    await expect(openHistory(path.join(dir, "blocked", "history"), 10)).rejects.toThrow();
  });
});
