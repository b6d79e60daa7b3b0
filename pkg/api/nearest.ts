// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Edits that turn `a` into `b`, a swap of neighbours counting as one. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/**
 * The known name a person most likely meant, for "did you mean": case doesn't count, a prefix is
 * near, and a name more than a third of its letters away is not offered.
 */
export function nearest(input: string, known: Iterable<string>): string | undefined {
  const wanted = input.toLowerCase();
  let best: string | undefined;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const candidate = name.toLowerCase();
    const near = wanted.length >= 3 && candidate.startsWith(wanted) ? 1 : distance(wanted, candidate);
    if (near < bestScore && near <= Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3))) {
      best = name;
      bestScore = near;
    }
  }
  return best;
}
