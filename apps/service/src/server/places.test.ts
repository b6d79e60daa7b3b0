// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { createPlaces } from "./places.js";

const never: AbortSignal = new AbortController().signal;

describe("places", () => {
  it("are given in the order they are asked for, and each given back counts once", async () => {
    const places = createPlaces(1);
    const given: string[] = [];
    const ask = async (name: string): Promise<() => void> => {
      const giveBack = await places.take(never);
      given.push(name);
      return giveBack;
    };
    const first = await ask("first");
    const second = ask("second");
    const third = ask("third");
    first();
    first();
    const giveBackSecond = await second;
    expect(given).toEqual(["first", "second"]);
    giveBackSecond();
    (await third)();
    expect(given).toEqual(["first", "second", "third"]);
  });

  it("aren't waited for by one who left, whose turn goes to the next", async () => {
    const places = createPlaces(1);
    const giveBack = await places.take(never);
    const leaving = new AbortController();
    const left = places.take(leaving.signal);
    const next = places.take(never);
    leaving.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    giveBack();
    await next;
    await expect(places.take(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  });

  it("aren't lost when one leaves at the moment of its turn", async () => {
    const places = createPlaces(1);
    const giveBack = await places.take(never);
    const leaving = new AbortController();
    const left = places.take(leaving.signal);
    leaving.abort(new Error("left"));
    giveBack();
    await expect(left).rejects.toThrow("left");
    await places.take(never);
  });
});
