// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { GenSettings } from "../chat-model.js";

/** Settings as both APIs take them (MDL-43, 72, 73). `seed` isn't among them: Responses has none. */
export interface OpenAiSettings {
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high";
}

/** Names of models that reason, and refuse sampling parameters. */
const REASONING = /^(o\d|gpt-[5-9])/;

/** What of the settings this model takes; the rest is dropped. */
export function settingsFor(model: string, settings: GenSettings): OpenAiSettings {
  const reasons = REASONING.test(model.slice(model.lastIndexOf("/") + 1));
  const { maxTokens, temperature, topP } = settings;
  const effort = effortFor(settings);
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined || reasons ? {} : { temperature }),
    ...(topP === undefined || reasons ? {} : { topP }),
    ...(effort === undefined ? {} : { effort }),
  };
}

function effortFor({ effort, thinkingBudget }: GenSettings): OpenAiSettings["effort"] {
  if (effort === "max") return "high";
  return effort ?? (thinkingBudget === 0 ? "none" : undefined);
}
