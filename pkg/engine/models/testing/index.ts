// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Models for tests. */
export { createScriptedModel, type ScriptedAnswer, type ScriptedModel } from "../scripted.js";
