// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * One interface over model providers: building models from settings, calling them, their prices.
 * Not here: what is said to a model (`prompt`), when it is called (`loop`), what was spent (`usage`).
 */
export type { ChainNotice } from "./chain.js";
export {
  type ChatModel,
  type GenSettings,
  ModelError,
  type ModelErrorKind,
  type ModelEvent,
  type ModelFinal,
  type ModelRequest,
  type ToolDecl,
} from "./chat-model.js";
export { listModels } from "./list-models.js";
export { type ModelRef, PROVIDERS, type Provider, parseModelRef } from "./model-ref.js";
export { DEFAULT_MODELS, PRICES, type Price, type PriceRow } from "./model-table.js";
export type { ModelsConfig } from "./models-config.js";
export { type ModelDeps, newFallback, newModel, newModelRef } from "./new-model.js";
export { type PriceOverrides, priceOf } from "./prices.js";
export { createScriptedModel, type ScriptedAnswer, type ScriptedModel } from "./scripted.js";
export { createFetch, type Fetch } from "./wire/index.js";
