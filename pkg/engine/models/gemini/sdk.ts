// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The part of the SDK in use. Loaded at the first call; a module of its own so that a bundler drops the rest. */
export { GoogleGenAI } from "@google/genai/web";
