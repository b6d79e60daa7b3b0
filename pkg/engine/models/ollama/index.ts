// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Finding a local Ollama. Talking to it is the OpenAI adapter's. */
export { listOllamaModels } from "./list-models.js";
