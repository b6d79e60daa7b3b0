// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { TurnResult } from "@blitz/api";
import type { Messages } from "@blitz/i18n";

/** A count of tokens as people read it: `987`, `12.4k`, `1.2M` (TUI-05). */
export function countOf(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  return tokens < 999_950 ? `${(tokens / 1_000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** What a turn used, and the session so far; the cost only when every call was priced (TUI-05). */
export function usageLine({ before, after }: Pick<TurnResult, "before" | "after">, { t }: Messages): string {
  const cost = after.priced && after.costUsd > 0;
  return t("repl.usage", {
    input: countOf(after.input - before.input),
    output: countOf(after.output - before.output),
    context: countOf(after.lastPrompt),
    cost: cost ? ` · $${(after.costUsd - before.costUsd).toFixed(4)} ($${after.costUsd.toFixed(4)})` : "",
  });
}
