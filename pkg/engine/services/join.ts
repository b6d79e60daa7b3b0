// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

type Joined<T extends readonly object[]> = T extends readonly [infer First, ...infer Rest extends readonly object[]]
  ? First & Joined<Rest>
  : unknown;

/** Joins services into one object. Types intersect, so a missing operation doesn't compile; two services offering one name is a bug, thrown at once. */
export function joinServices<T extends readonly object[]>(...services: T): Joined<T> {
  const joined: Record<string, unknown> = {};
  for (const service of services) {
    for (const [name, operation] of Object.entries(service)) {
      if (Object.hasOwn(joined, name)) throw new Error(`two services offer ${name}`);
      joined[name] = operation;
    }
  }
  return joined as Joined<T>;
}

/** Makes every operation reject only with what `known` makes of its failure (WS-82). */
export function guardOperations<T extends object>(services: T, known: (error: unknown) => unknown): T {
  const guarded: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries(services)) {
    guarded[name] = typeof operation === "function" ? guard(operation as Operation, known) : operation;
  }
  return guarded as T;
}

type Operation = (...args: readonly unknown[]) => unknown;

function guard(operation: Operation, known: (error: unknown) => unknown): Operation {
  return (...args) => {
    const result = operation(...args);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw known(error);
    });
  };
}
