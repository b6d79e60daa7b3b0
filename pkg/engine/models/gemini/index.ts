// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Gemini through Google's API. */
export { createGeminiModel, type GeminiConfig } from "./gemini-model.js";
