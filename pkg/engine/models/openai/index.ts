// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** OpenAI, Ollama and compatible servers: the Responses API, else Chat Completions. */
export { createOpenAiModel, type OpenAiConfig } from "./openai-model.js";
