// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { NO_USAGE, type Usage } from "@blitz/api";
import type { UsageSchema, Usage as WireUsage } from "@blitz/proto/turn";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { countToWire } from "./count.js";

/** What was used, on the wire. */
export function usageToWire(usage: Usage): MessageInitShape<typeof UsageSchema> {
  return {
    calls: countToWire(usage.calls),
    input: countToWire(usage.input),
    cached: countToWire(usage.cached),
    cacheWrite: countToWire(usage.cacheWrite),
    output: countToWire(usage.output),
    lastPrompt: countToWire(usage.lastPrompt),
    costUsd: usage.costUsd,
    priced: usage.priced,
    searchQueries: countToWire(usage.searchQueries),
    searchCostUsd: usage.searchCostUsd,
  };
}

/** What was used, off the wire; nothing when it wasn't sent. */
export function usageFromWire(usage: WireUsage | undefined): Usage {
  if (usage === undefined) return NO_USAGE;
  return {
    calls: Number(usage.calls),
    input: Number(usage.input),
    cached: Number(usage.cached),
    cacheWrite: Number(usage.cacheWrite),
    output: Number(usage.output),
    lastPrompt: Number(usage.lastPrompt),
    costUsd: usage.costUsd,
    priced: usage.priced,
    searchQueries: Number(usage.searchQueries),
    searchCostUsd: usage.searchCostUsd,
  };
}
