// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A provider's settings. "" everywhere = not set. Keys from the environment are filled in by who reads it. */
export interface ProviderConfig {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly model: string;
}

/** What this room needs of the settings (02 §3, `[llm]`). */
export interface ModelsConfig {
  /** "" = the first provider that is set up (MDL-10). */
  readonly provider: string;
  readonly defaultModel: string;
  readonly maxRetries: number;
  readonly stallTimeoutMs: number;
  /** Tried in order when the model fails before it said anything (MDL-60). */
  readonly fallbackModels?: readonly string[];
  readonly providers: {
    readonly anthropic: ProviderConfig & {
      readonly fallbacks: string;
      /** Whether the SDK finds credentials by itself: `ANTHROPIC_AUTH_TOKEN` or a signed-in profile. */
      readonly sdkCredentials?: boolean;
    };
    readonly openai: ProviderConfig;
    readonly gemini: ProviderConfig;
    readonly ollama: Omit<ProviderConfig, "apiKey">;
  };
  /** False when nothing is set up and no Ollama runs here, so that the error names what to set. */
  readonly environmentHasOllama?: boolean;
}
