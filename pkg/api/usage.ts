// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** What a session or a turn has used. Token counts are whole numbers; money is US dollars. */
export interface Usage {
  /** Model calls. */
  readonly calls: number;
  /** All prompt tokens, cached ones included (ENG-80). */
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  /** Thinking included. */
  readonly output: number;
  /** Prompt tokens of the last call: the size of the context now. */
  readonly lastPrompt: number;
  readonly costUsd: number;
  /** Whether every call had a price, so that `costUsd` is the whole cost. */
  readonly priced: boolean;
  readonly searchQueries: number;
  readonly searchCostUsd: number;
}

/** Nothing used yet. */
export const NO_USAGE: Usage = {
  calls: 0,
  input: 0,
  cached: 0,
  cacheWrite: 0,
  output: 0,
  lastPrompt: 0,
  costUsd: 0,
  priced: true,
  searchQueries: 0,
  searchCostUsd: 0,
};

/** Sums two usages; `priced` only if both are, `lastPrompt` from `b` when it has one. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    input: a.input + b.input,
    cached: a.cached + b.cached,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    lastPrompt: b.lastPrompt > 0 ? b.lastPrompt : a.lastPrompt,
    costUsd: a.costUsd + b.costUsd,
    priced: a.priced && b.priced,
    searchQueries: a.searchQueries + b.searchQueries,
    searchCostUsd: a.searchCostUsd + b.searchCostUsd,
  };
}
