// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { BetaOutputConfig, BetaThinkingConfigParam } from "@anthropic-ai/sdk/resources/beta/messages";
import type { GenSettings } from "../chat-model.js";

/** Names that take sampling parameters; newer ones refuse them (MDL-25). */
const SAMPLING: readonly string[] = [
  "claude-haiku-4-5",
  "claude-sonnet-4-6",
  "claude-opus-4-6",
  "claude-sonnet-4-5",
  "claude-opus-4-5",
  "claude-opus-4-1",
  "claude-sonnet-4-",
  "claude-opus-4-0",
  "claude-3",
];

/** Models with sampling that know `effort` all the same (MDL-73). */
const SAMPLING_WITH_EFFORT: readonly string[] = ["claude-opus-4-5", "claude-sonnet-4-6", "claude-opus-4-6"];

/** Models that always think: switching it off is refused (MDL-73). */
const ALWAYS_THINKS: readonly string[] = ["claude-opus-5-5", "claude-fable-"];

/** Models that may hand a declined request to another one (MDL-26). */
const FALLS_BACK: readonly string[] = ["claude-opus-5", "claude-fable-5"];

/** Settings of a request that depend on the model. */
export interface ThinkingSettings {
  readonly thinking?: BetaThinkingConfigParam;
  readonly effort?: NonNullable<BetaOutputConfig["effort"]>;
  readonly temperature?: number;
  readonly maxTokens: number;
}

/** What of the settings this model takes, in its own words; the rest is dropped (MDL-72, 73). */
export function settingsFor(model: string, settings: GenSettings): ThinkingSettings {
  const asked = settings.maxTokens ?? 16_000;
  const adaptive = isAdaptive(model);
  const thinking = adaptive ? adaptiveThinking(model, settings) : budgetedThinking(model, settings);
  const effort = effortFor(model, settings, adaptive);
  const isBudgeted = thinking?.type === "enabled";
  const sampled = settings.temperature !== undefined && startsWith(model, SAMPLING) && !isBudgeted;
  return {
    ...(thinking === undefined ? {} : { thinking }),
    ...(effort === undefined ? {} : { effort }),
    ...(sampled ? { temperature: settings.temperature } : {}),
    maxTokens: isBudgeted && asked <= thinking.budget_tokens ? thinking.budget_tokens + asked : asked,
  };
}

/** The refusal fallback to ask for, and the beta it needs; nothing for models without it. */
export function refusalFallback(
  model: string,
  setting: string,
): { readonly fallbacks: "default" | { model: string }[]; readonly beta: string } | undefined {
  if (setting === "off" || !startsWith(model, FALLS_BACK)) return undefined;
  return setting === "default" || setting === ""
    ? { fallbacks: "default", beta: "server-side-fallback-2026-07-01" }
    : { fallbacks: [{ model: setting }], beta: "server-side-fallback-2026-06-01" };
}

/** The longest answer of a model, in tokens. */
export function maxOutputOf(model: string): number {
  if (isAdaptive(model)) return 128_000;
  if (model.startsWith("claude-3-7")) return 64_000;
  if (model.startsWith("claude-3")) return 4_096;
  return startsWith(model, ["claude-opus-4-0", "claude-opus-4-1"]) ? 32_000 : 64_000;
}

function isAdaptive(model: string): boolean {
  return model.startsWith("claude-") && !startsWith(model, SAMPLING);
}

function adaptiveThinking(model: string, { thinkingBudget }: GenSettings): BetaThinkingConfigParam | undefined {
  // These models think whatever is asked; without `display` what they think would come back empty.
  if (startsWith(model, ALWAYS_THINKS)) return { type: "adaptive", display: "summarized" };
  if (thinkingBudget === undefined) return undefined;
  return thinkingBudget === 0 ? { type: "disabled" } : { type: "adaptive", display: "summarized" };
}

function budgetedThinking(model: string, { thinkingBudget }: GenSettings): BetaThinkingConfigParam | undefined {
  const tooOld = model.startsWith("claude-3") && !model.startsWith("claude-3-7");
  if (thinkingBudget === undefined || tooOld || !model.startsWith("claude-")) return undefined;
  if (thinkingBudget === 0) return { type: "disabled" };
  return { type: "enabled", budget_tokens: Math.max(1024, thinkingBudget) };
}

function effortFor(model: string, settings: GenSettings, adaptive: boolean): ThinkingSettings["effort"] {
  if (!adaptive && !startsWith(model, SAMPLING_WITH_EFFORT)) return undefined;
  if (settings.effort !== undefined) return settings.effort === "minimal" ? "low" : settings.effort;
  const budget = settings.thinkingBudget;
  if (!adaptive || budget === undefined || budget === 0) return undefined;
  if (budget <= 4096) return "low";
  if (budget <= 16_384) return "medium";
  return budget <= 65_536 ? "high" : "max";
}

function startsWith(model: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => model.startsWith(prefix));
}
