// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Lets others have the event loop during long work that is done at once: asked after each small step. */
export type Pauses = () => Promise<void> | undefined;

/** Work goes on for so long before it pauses; far below what anybody notices (06 §9). */
const SLICE_MS: number = 5;

/**
 * Pauses for one piece of work. `undefined` means go on: nothing is awaited then, which for tens of
 * thousands of steps matters.
 *
 * @throws the signal's reason, from a pause, when it aborts
 */
export function createPauses(signal: AbortSignal): Pauses {
  let since = performance.now();
  const pause = async (): Promise<void> => {
    signal.throwIfAborted();
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    since = performance.now();
  };
  return () => (performance.now() - since < SLICE_MS ? undefined : pause());
}

/** Items sorted at once; more are sorted by parts that are then merged, with pauses. */
const PART: number = 4_096;

/** Sorts like `toSorted`, however many there are, without holding the event loop. */
export async function sortWithPauses<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  pauses: Pauses,
): Promise<readonly T[]> {
  if (items.length <= PART) return items.toSorted(compare);
  const middle = items.length >> 1;
  const first = await sortWithPauses(items.slice(0, middle), compare, pauses);
  const second = await sortWithPauses(items.slice(middle), compare, pauses);
  const merged: T[] = [];
  let [one, two] = [0, 0];
  while (merged.length < items.length) {
    if (merged.length % PART === 0) {
      const pause = pauses();
      if (pause !== undefined) await pause;
    }
    const takesFirst = two === second.length || (one < first.length && compare(first[one] as T, second[two] as T) <= 0);
    merged.push((takesFirst ? first[one++] : second[two++]) as T);
  }
  return merged;
}
