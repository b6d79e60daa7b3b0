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

/**
 * Makes every operation reject only with an `ApiError` or an abort; anything else becomes `INTERNAL`
 * with the cause kept and reported (WS-82).
 */
export function guardOperations<T extends object>(
  services: T,
  report: (error: unknown) => void,
  toInternal: (error: unknown) => unknown,
): T {
  const guarded: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries(services)) {
    if (typeof operation !== "function") guarded[name] = operation;
    else
      guarded[name] = (...args: readonly unknown[]): unknown => {
        const result: unknown = (operation as (...args: readonly unknown[]) => unknown)(...args);
        if (!(result instanceof Promise)) return result;
        return result.catch((error: unknown) => {
          const known = toInternal(error);
          if (known !== error) report(error);
          throw known;
        });
      };
  }
  return guarded as T;
}
