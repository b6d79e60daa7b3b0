// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Circles of files that import each other, types included.

import path from "node:path";
import type { Source } from "./sources.ts";

/** Each group of files that reach each other by relative imports, sorted; none when all is well. */
export function findCycles(sources: readonly Source[]): readonly (readonly string[])[] {
  const files = new Set(sources.map(({ file }) => file));
  const edges = new Map(
    sources.map(({ file, imports }) => [
      file,
      imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier }) => path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, ".ts"))
        .filter((target) => files.has(target)),
    ]),
  );
  return groups(edges).filter((group) => group.length > 1 || edges.get(group[0] ?? "")?.includes(group[0] ?? ""));
}

/** Strongly connected components, by Tarjan's algorithm. */
function groups(edges: ReadonlyMap<string, readonly string[]>): readonly string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    const mine = order.size;
    order.set(node, mine);
    let low = mine;
    open.push(node);
    for (const next of edges.get(node) ?? []) {
      const seen = order.get(next);
      if (seen === undefined) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? seen);
    }
    lowest.set(node, low);
    if (low === mine) found.push(open.splice(open.indexOf(node)).sort());
    return low;
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found;
}
