// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import type { ToolCallPart, ToolResultPart } from "../history/index.js";

const TELL_AFTER: number = 3;
const STOP_AFTER: number = 6;

/** Notices a model that makes the identical failing call again and again (ENG-112). */
export interface RepeatGuard {
  /** The results, the third repeat told so; `stuck` from the sixth on. */
  check(
    calls: readonly ToolCallPart[],
    results: readonly ToolResultPart[],
  ): { readonly results: ToolResultPart[]; readonly stuck: boolean };
}

/** A guard for one run. */
export function createRepeatGuard(): RepeatGuard {
  let last = "";
  let count = 0;
  return {
    check: (calls, results) => {
      let stuck = false;
      const told = results.map((result, at) => {
        const key = `${calls[at]?.name}\u0000${canonical(calls[at]?.args ?? {})}`;
        count = result.isError !== true ? 0 : key === last ? count + 1 : 1;
        last = key;
        stuck ||= count >= STOP_AFTER;
        if (count < TELL_AFTER) return result;
        return {
          ...result,
          result: {
            ...result.result,
            repeated: `this identical call failed ${count} times in a row; do something else`,
          },
        };
      });
      return { results: told, stuck };
    },
  };
}

function canonical(args: JsonObject): string {
  return JSON.stringify(args, Object.keys(args).sort());
}
