// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { AgencyLevel } from "@blitz/api";
import { SETTINGS } from "./schema.js";

/** Settings of one model provider. */
export interface ProviderConfig {
  readonly api_key: string;
  readonly model: string;
  readonly base_url: string;
}

/** Settings of one model (CFG-30). */
export interface ModelSettingsConfig {
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly top_p?: number;
  readonly seed?: number;
  readonly reasoning_effort?: "minimal" | "low" | "medium" | "high" | "max" | "xhigh";
  readonly thinking_budget?: number;
  readonly todo?: boolean;
}

/** Prices as settings give them; partial entries merge into the built-in ones (CFG-11). */
export interface PricingConfig {
  readonly input_per_mtok?: number;
  readonly output_per_mtok?: number;
  readonly cached_input_per_mtok?: number;
  readonly cache_write_per_mtok?: number;
}

/** All settings, named as in the file. A value of its own for each workspace; never changed in place (CFG-06). */
export interface Config {
  readonly blitz: {
    readonly default_agent: string;
    readonly default_model: string;
    readonly agency_level: AgencyLevel;
    readonly temperature: number;
    readonly max_tokens: number;
    readonly permission_mode: string;
    readonly auto_approve: boolean;
    readonly plan_review: "always" | "agent-decides" | "never";
  };
  readonly llm: {
    readonly provider: string;
    readonly max_retries: number;
    readonly stall_timeout_seconds: number;
    readonly fallback_models: readonly string[];
    readonly gemini: ProviderConfig;
    readonly anthropic: ProviderConfig & { readonly fallbacks: string };
    readonly openai: ProviderConfig;
    readonly ollama: Omit<ProviderConfig, "api_key">;
  };
  readonly agent_models: Readonly<Record<string, string>>;
  readonly model_settings: Readonly<Record<string, ModelSettingsConfig>>;
  readonly pricing: Readonly<Record<string, PricingConfig>>;
  readonly tools: {
    readonly shell_timeout_seconds: number;
    readonly max_file_size_bytes: number;
    readonly max_parallel: number;
    readonly auto_approve_commands: boolean;
    readonly approvals_file: string;
  };
  readonly sandbox: {
    readonly shell: "auto" | "required" | "off";
    readonly allowed_paths: readonly string[];
    readonly read_only_paths: readonly string[];
    readonly blocked_paths: readonly string[];
    readonly shell_writable_paths: readonly string[];
    readonly allow_network: boolean;
    readonly scrub_env: readonly string[];
    readonly commands: {
      readonly allow: readonly string[];
      readonly deny: readonly string[];
      readonly auto_approve: readonly string[];
    };
  };
  readonly permissions: {
    readonly allow: readonly string[];
    readonly ask: readonly string[];
    readonly deny: readonly string[];
    readonly read_only_defaults: boolean;
  };
  readonly session: { readonly storage_dir: string };
  readonly checkpoints: {
    readonly enabled: boolean;
    readonly dir: string;
    readonly max_bytes: number;
    readonly max_age_days: number;
  };
  readonly memory: {
    readonly enabled: boolean;
    readonly files: readonly string[];
    readonly local_files: readonly string[];
    readonly global: string;
    readonly max_bytes: number;
  };
  /** `request_expiry`: a time such as `24h`; see `parseDuration`. */
  readonly service: { readonly request_expiry: string };
  readonly log: { readonly level: string; readonly dir: string; readonly retain_days: number };
  readonly audit: { readonly enabled: boolean; readonly dir: string };
  readonly ui: {
    readonly markdown: boolean;
    readonly diff_lines: number;
    readonly locale: string;
    readonly locales_dir: string;
    readonly history_file: string;
    readonly history_size: number;
    readonly spinner: boolean;
    readonly terminal_title: boolean;
    readonly notify: "both" | "bell" | "desktop" | "off";
    /** Seconds. */
    readonly notify_after: number;
  };
}

/** A tree of settings while it is put together; without prototypes, so no key can reach one. */
export type Tree = { [key: string]: unknown };

/** Puts a value at a dotted key. */
export function put(tree: Tree, key: string, value: unknown): void {
  const names = key.split(".");
  const last = names.pop() ?? key;
  let at = tree;
  for (const name of names) {
    const next = (at[name] ?? Object.create(null)) as Tree;
    at[name] = next;
    at = next;
  }
  at[last] = value;
}

/** The value at a dotted key. */
export function get(tree: Tree, key: string): unknown {
  let at: unknown = tree;
  for (const name of key.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Tree)[name];
  }
  return at;
}

/** The defaults, as a new tree. */
export function defaults(): Tree {
  const tree = Object.create(null) as Tree;
  for (const setting of SETTINGS) put(tree, setting.key, structuredClone(setting.default));
  return tree;
}
