// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { parseModelRef } from "./index.js";

describe("parseModelRef (MDL-01)", () => {
  it.each([
    ["claude-opus-5-5", "gemini", "claude-opus-5-5"],
    ["anthropic/claude-opus-5-5", "anthropic", "claude-opus-5-5"],
    ["OpenAI/gpt-6.2-sol", "openai", "gpt-6.2-sol"],
    ["qwen2.5-coder:7b", "gemini", "qwen2.5-coder:7b"],
    ["ollama/qwen2.5-coder:7b", "ollama", "qwen2.5-coder:7b"],
    ["openai/anthropic/claude-opus-5", "openai", "anthropic/claude-opus-5"],
    ["meta-llama/llama-4", "gemini", "meta-llama/llama-4"],
  ])("reads %s", (ref, provider, model) => {
    expect(parseModelRef(ref, "gemini")).toEqual({ provider, model });
  });

  it.each(["", "  ", "anthropic/", "model=x", "openai/a=b"])("refuses %j", (ref) => {
    expect(() => parseModelRef(ref, "gemini")).toThrow(expect.objectContaining({ reason: "BAD_MODEL_REF" }));
  });
});
