// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * A strict fake of the model providers' wire formats on the loopback interface, for tests and
 * measurements. It plays scripted answers and refuses, with a record, what real providers refuse.
 * It is not a simulator: it has no opinions about models, prices or content.
 */
export type { Answer, AnswerPart, AnswerUsage, Piece, ReceivedRequest, ScriptEntry, Wire } from "./answer.js";
export { type FakeProvider, type FakeProviderOptions, startFakeProvider } from "./server.js";
