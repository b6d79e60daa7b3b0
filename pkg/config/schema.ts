// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** What a setting's value may be. `map` is a table with free keys, its entries checked by `entry`. */
export type SettingType =
  | { readonly kind: "text"; readonly values?: readonly string[] }
  | { readonly kind: "number"; readonly min?: number; readonly max?: number; readonly whole?: boolean }
  | { readonly kind: "flag" }
  | { readonly kind: "duration" }
  | { readonly kind: "texts" }
  | { readonly kind: "map"; readonly entry: SettingType | Readonly<Record<string, SettingType>> };

/** One setting: the single description loader, checker and documentation read (CFG-07). */
export interface Setting {
  /** Dotted, as in the file. */
  readonly key: string;
  readonly type: SettingType;
  readonly default: unknown;
  /** One line for the reference. */
  readonly description: string;
  readonly secret?: boolean;
  /** A bad value fails the load, never falls back (CFG-14). */
  readonly safety?: boolean;
  /** Environment variables: the first always wins over the files, the others fill an empty value (CFG-03). */
  readonly env?: { readonly override?: string; readonly fill?: readonly string[] };
}

const text = (...values: readonly string[]): SettingType =>
  values.length === 0 ? { kind: "text" } : { kind: "text", values };
const flag: SettingType = { kind: "flag" };
const duration: SettingType = { kind: "duration" };
const texts: SettingType = { kind: "texts" };
const count: SettingType = { kind: "number", min: 0, whole: true };
const positive: SettingType = { kind: "number", min: 1, whole: true };
const money: SettingType = { kind: "number", min: 0 };

const BLOCKED: readonly string[] = [
  ".env",
  ".env.local",
  ".env.*.local",
  ".env.toml",
  ".env.*.toml",
  "*.pem",
  "*.key",
  "*.p12",
  "id_rsa*",
  "id_ecdsa*",
  "id_ed25519*",
  "~/.ssh",
  "~/.aws",
  "~/.gnupg",
  "~/.config/gcloud",
  "~/.azure",
  "~/.kube",
  "~/.docker/config.json",
  "~/.netrc",
];

const MODEL_SETTINGS: Readonly<Record<string, SettingType>> = {
  temperature: { kind: "number", min: 0, max: 2 },
  max_tokens: { kind: "number", min: 1, max: 2 ** 31 - 1, whole: true },
  top_p: { kind: "number", min: 0, max: 1 },
  seed: { kind: "number", min: -(2 ** 31), max: 2 ** 31 - 1, whole: true },
  reasoning_effort: text("minimal", "low", "medium", "high", "max", "xhigh"),
  thinking_budget: count,
  todo: flag,
};

const PRICES: Readonly<Record<string, SettingType>> = {
  input_per_mtok: money,
  output_per_mtok: money,
  cached_input_per_mtok: money,
  cache_write_per_mtok: money,
};

/** Every setting there is, in the order of the reference (02 §3). Settings of later areas join with them. */
export const SETTINGS: readonly Setting[] = [
  {
    key: "blitz.default_agent",
    type: text(),
    default: "blitz",
    description: "Agent that answers.",
    env: { override: "BLITZ_AGENT" },
  },
  {
    key: "blitz.default_model",
    type: text(),
    default: "",
    description: "Model, or provider/model; wins over llm.<provider>.model.",
    env: { override: "BLITZ_MODEL" },
  },
  {
    key: "blitz.agency_level",
    type: text("low", "medium", "high", "extreme"),
    default: "high",
    description: "How far the agent goes without asking back.",
    env: { override: "BLITZ_AGENCY" },
  },
  {
    key: "blitz.temperature",
    type: { kind: "number", min: 0, max: 2 },
    default: 0.2,
    description: "Sampling temperature, where the model takes one; 0 = the provider's.",
  },
  {
    key: "blitz.max_tokens",
    type: count,
    default: 8192,
    description: "Most tokens of one answer; 0 = the provider's default.",
  },
  {
    key: "blitz.permission_mode",
    type: text("default", "accept-edits", "plan", "dont-ask", "auto", "bypass"),
    default: "default",
    description: "What is allowed without asking.",
    safety: true,
  },
  {
    key: "blitz.auto_approve",
    type: flag,
    default: false,
    description: 'Older spelling of permission_mode = "bypass".',
  },
  {
    key: "blitz.plan_review",
    type: text("always", "agent-decides", "never"),
    default: "agent-decides",
    description: "When prompts are planned first.",
    safety: true,
  },

  {
    key: "llm.provider",
    type: text("", "gemini", "anthropic", "openai", "ollama"),
    default: "",
    description: "Provider; empty = the first with a key, else a local Ollama.",
    env: { override: "LLM_PROVIDER" },
  },
  {
    key: "llm.max_retries",
    type: { kind: "number", whole: true },
    default: 3,
    description: "Retries of a failed model call; 0 = none.",
  },
  {
    key: "llm.stall_timeout_seconds",
    type: { kind: "number", whole: true },
    default: 600,
    description: "A model call without progress for this long has failed.",
  },
  { key: "llm.fallback_models", type: texts, default: [], description: "Models asked in order when the first fails." },
  {
    key: "llm.gemini.api_key",
    type: text(),
    default: "",
    description: "Gemini API key.",
    secret: true,
    env: { fill: ["GEMINI_API_KEY", "GOOGLE_API_KEY"] },
  },
  { key: "llm.gemini.model", type: text(), default: "", description: "Gemini model; empty = the built-in default." },
  { key: "llm.gemini.base_url", type: text(), default: "", description: "Gateway in front of Gemini." },
  {
    key: "llm.anthropic.api_key",
    type: text(),
    default: "",
    description: "Anthropic API key.",
    secret: true,
    env: { fill: ["ANTHROPIC_API_KEY"] },
  },
  {
    key: "llm.anthropic.model",
    type: text(),
    default: "",
    description: "Anthropic model; empty = the built-in default.",
  },
  { key: "llm.anthropic.base_url", type: text(), default: "", description: "Gateway in front of Anthropic." },
  {
    key: "llm.anthropic.fallbacks",
    type: text(),
    default: "default",
    description: "Who answers what the model refuses: default, a model, or off.",
  },
  {
    key: "llm.openai.api_key",
    type: text(),
    default: "",
    description: "OpenAI API key; never sent to Ollama.",
    secret: true,
    env: { fill: ["OPENAI_API_KEY"] },
  },
  {
    key: "llm.openai.base_url",
    type: text(),
    default: "https://api.openai.com/v1",
    description: "OpenAI or compatible server.",
    env: { override: "OPENAI_BASE_URL" },
  },
  {
    key: "llm.openai.model",
    type: text(),
    default: "",
    description: "OpenAI model; empty = the built-in default.",
    env: { override: "OPENAI_MODEL" },
  },
  {
    key: "llm.ollama.base_url",
    type: text(),
    default: "",
    description: "Ollama server; empty = the shared OpenAI one if changed, else localhost.",
  },
  {
    key: "llm.ollama.model",
    type: text(),
    default: "",
    description: "Ollama model; empty = the shared OpenAI one, else the first it lists.",
  },

  { key: "agent_models", type: { kind: "map", entry: text() }, default: {}, description: "Models pinned to agents." },
  {
    key: "model_settings",
    type: { kind: "map", entry: MODEL_SETTINGS },
    default: {},
    description: "Settings of one model.",
  },
  {
    key: "pricing",
    type: { kind: "map", entry: PRICES },
    default: {},
    description: "US dollars per million tokens of one model.",
  },

  { key: "tools.shell_timeout_seconds", type: positive, default: 120, description: "A command's time limit." },
  {
    key: "tools.max_file_size_bytes",
    type: positive,
    default: 10_485_760,
    description: "Largest file the tools read.",
  },
  {
    key: "tools.max_parallel",
    type: count,
    default: 8,
    description: "Tool calls of one answer at once; 0 = one at a time.",
  },
  {
    key: "tools.auto_approve_commands",
    type: flag,
    default: false,
    description: "Run every command that isn't denied without asking.",
  },
  {
    key: "tools.approvals_file",
    type: text(),
    default: "~/.blitz/approvals.json",
    description: "Where answers of always are kept.",
  },

  {
    key: "sandbox.shell",
    type: text("auto", "required", "off"),
    default: "auto",
    description: "OS sandbox for commands.",
    safety: true,
    env: { override: "BLITZ_SANDBOX_SHELL" },
  },
  {
    key: "sandbox.allowed_paths",
    type: texts,
    default: [],
    description: "Folders beside the workspace the agent may read and write.",
  },
  {
    key: "sandbox.read_only_paths",
    type: texts,
    default: [],
    description: "Folders beside the workspace the agent may read.",
  },
  {
    key: "sandbox.blocked_paths",
    type: texts,
    default: BLOCKED,
    description: "Files and folders the agent may neither read nor write.",
  },
  {
    key: "sandbox.shell_writable_paths",
    type: texts,
    default: ["~/.cache", "~/go/pkg/mod", "~/.npm"],
    description: "Folders commands may write beside the workspace.",
  },
  { key: "sandbox.allow_network", type: flag, default: true, description: "Whether commands reach the network." },
  {
    key: "sandbox.scrub_env",
    type: texts,
    default: [
      "*_API_KEY",
      "*_API_TOKEN",
      "*_SECRET",
      "*_SECRET_KEY",
      "*_ACCESS_KEY",
      "AWS_SESSION_TOKEN",
      "GOOGLE_APPLICATION_CREDENTIALS",
      "MODENV_*",
    ],
    description: "Environment variables commands never get.",
  },
  {
    key: "sandbox.commands.allow",
    type: texts,
    default: [],
    description: "Not empty: only these commands may run.",
    safety: true,
  },
  {
    key: "sandbox.commands.deny",
    type: texts,
    default: ["sudo *", "su *", "doas *", "shutdown *", "reboot *", "halt *", "mkfs *", "mkfs.*", "diskutil erase*"],
    description: "Commands that never run.",
  },
  {
    key: "sandbox.commands.auto_approve",
    type: texts,
    default: [],
    description: "Commands that run without asking.",
    safety: true,
  },

  {
    key: "permissions.allow",
    type: texts,
    default: [],
    description: "Rules for what needs no question.",
    safety: true,
  },
  { key: "permissions.ask", type: texts, default: [], description: "Rules for what is always asked.", safety: true },
  { key: "permissions.deny", type: texts, default: [], description: "Rules for what is always refused.", safety: true },
  {
    key: "permissions.read_only_defaults",
    type: flag,
    default: true,
    description: "Built-in read-only commands run without asking, inside the sandbox.",
  },

  { key: "session.storage_dir", type: text(), default: "~/.blitz/sessions", description: "Where sessions are kept." },
  {
    key: "checkpoints.enabled",
    type: flag,
    default: true,
    description: "Keep what prompts change, so it can be undone.",
  },
  { key: "checkpoints.dir", type: text(), default: "~/.blitz/checkpoints", description: "Where it is kept." },
  { key: "checkpoints.max_bytes", type: positive, default: 67_108_864, description: "How much of it is kept." },
  { key: "checkpoints.max_age_days", type: positive, default: 30, description: "How long it is kept." },
  { key: "memory.enabled", type: flag, default: true, description: "Load instruction files." },
  {
    key: "memory.files",
    type: texts,
    default: ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "BLITZ.md"],
    description: "Names of instruction files.",
  },
  {
    key: "memory.local_files",
    type: texts,
    default: ["CLAUDE.local.md", "BLITZ.local.md"],
    description: "Names of personal instruction files.",
  },
  {
    key: "memory.global",
    type: text(),
    default: "~/.blitz/BLITZ.md",
    description: "Instructions for every workspace.",
  },
  { key: "memory.max_bytes", type: positive, default: 32_768, description: "Most bytes read of one instruction file." },
  {
    key: "service.request_expiry",
    type: duration,
    default: "24h",
    description: "A waiting approval or question is denied after this; 0 = never.",
  },
  { key: "log.level", type: text(), default: "info", description: "debug, info, warn, error or off." },
  { key: "log.dir", type: text(), default: "~/.blitz/logs", description: "Where the diagnostic log is kept." },
  { key: "log.retain_days", type: count, default: 14, description: "How long it is kept; 0 = for ever." },
  { key: "audit.enabled", type: flag, default: true, description: "Keep the audit log." },
  { key: "audit.dir", type: text(), default: "~/.blitz/audit", description: "Where it is kept." },
  { key: "ui.markdown", type: flag, default: true, description: "Render Markdown on a terminal." },
  { key: "ui.diff_lines", type: positive, default: 120, description: "Lines of a diff shown when asking." },
  { key: "ui.locale", type: text(), default: "en-US", description: "Language of the interface and of replies." },
  { key: "ui.locales_dir", type: text(), default: "~/.blitz/locales", description: "Catalogs of your own." },
  { key: "ui.history_file", type: text(), default: "~/.blitz/history", description: "Lines you entered, to recall." },
  { key: "ui.history_size", type: count, default: 1000, description: "How many of them are recalled." },
  { key: "ui.spinner", type: flag, default: true, description: "Show what the agent does while it works." },
  { key: "ui.terminal_title", type: flag, default: true, description: "Put the session's title on the window." },
  {
    key: "ui.notify",
    type: text("both", "bell", "desktop", "off"),
    default: "both",
    description: "How a long turn that ended or waits calls you: both, bell, desktop or off.",
  },
  { key: "ui.notify_after", type: count, default: 30, description: "Seconds a turn takes to be long; 0 = never." },
];
