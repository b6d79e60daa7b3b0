// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type JsonObject, unreachable } from "@blitz/api";
import type { JsonValue, JsonObject as WireObject } from "@bufbuild/protobuf";
import { textToWire } from "./text.js";

/**
 * How deep a value may be nested: a message of 100 levels is the most a peer decodes, and each level of a Struct
 * takes two. What is deeper is dropped.
 */
const MAX_DEPTH: number = 40;

/** An object as a Struct. A value JSON can't carry is dropped, not the event it is in (PRT-03). */
export function jsonToWire(value: JsonObject): WireObject {
  return cleanedPairs(value, []);
}

/** The JSON of a value, `undefined` for one that has none. `around`: what it is in, so that a cycle ends. */
function cleaned(value: unknown, around: readonly object[]): JsonValue | undefined {
  switch (typeof value) {
    case "string":
      return textToWire(value);
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : undefined;
    case "object":
      return value === null ? null : cleanedObject(value, around);
    case "undefined":
    case "bigint":
    case "symbol":
    case "function":
      return undefined;
    default:
      return unreachable(value as never);
  }
}

function cleanedObject(value: object, around: readonly object[]): JsonValue | undefined {
  if (around.length >= MAX_DEPTH || around.includes(value)) return undefined;
  const own = jsonOf(value);
  if (own !== value) return cleaned(own, [...around, value]);
  if (Array.isArray(value)) return value.map((one) => cleaned(one, [...around, value]) ?? null);
  return cleanedPairs(value, around);
}

function cleanedPairs(value: object, around: readonly object[]): WireObject {
  const inside = [...around, value];
  const pairs = Object.keys(value).flatMap((key): [string, JsonValue][] => {
    const clean = cleaned(read(value, key), inside);
    return clean === undefined ? [] : [[textToWire(key), clean]];
  });
  return Object.fromEntries(pairs);
}

/** A date and its like as what they say their JSON is; anything else as it is. */
function jsonOf(value: object): unknown {
  const toJson = read(value, "toJSON");
  if (typeof toJson !== "function") return value;
  try {
    return toJson.call(value);
  } catch {
    return undefined; // it has no JSON, so it is dropped
  }
}

function read(value: object, key: string): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined; // a getter that throws has no JSON
  }
}
