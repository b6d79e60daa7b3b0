// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** One interface over model providers. */
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
