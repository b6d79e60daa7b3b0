// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Claude through the Messages API. */
export { type AnthropicConfig, createAnthropicModel } from "./anthropic-model.js";
