// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type About, unusable } from "./failures.js";
import { bodyOf } from "./shared-fetch.js";

/** The whole body of a non-streamed answer, as JSON. Cut or garbled JSON is a failed call (MDL-33). */
export async function answerBody(about: About, response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyOf(response)) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch (error) {
    throw unusable(about, "the answer isn't complete JSON", error);
  }
}
