// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** What the adapters share between a request's text and the socket: fetch, events, stalls, retries, text. */
export { answerBody } from "./answer-body.js";
export { type CallDeps, callAttempts } from "./call.js";
export { type About, fromHttp, fromStreamError, fromThrown, type HttpFailure, unusable } from "./failures.js";
export { type Finish, finishParts, usageOf } from "./finish.js";
export { createFetch, type Fetch } from "./shared-fetch.js";
export { createTextJoiner, type TextJoiner } from "./text-joiner.js";
export { parseToolArgs } from "./tool-args.js";
export { wellFormed, wellFormedJson, wellFormedText } from "./well-formed.js";
export { describeMs, type StallWatch } from "./stall-watch.js";
export { wireId, wireName } from "./names.js";
export { ALIVE, IGNORED, isWhole, readStream, type Step, showing } from "./read-stream.js";
