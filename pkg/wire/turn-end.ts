// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { TurnEnd } from "@blitz/api";
import type { TurnFinishedSchema, TurnFinished as WireFinished } from "@blitz/proto/turn";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { errorInfoFromWire, errorInfoToWire } from "./error.js";
import { textsToWire, textToWire } from "./text.js";
import { usageFromWire, usageToWire } from "./usage.js";

/** How a turn ended, on the wire. */
export function turnEndToWire(end: TurnEnd): MessageInitShape<typeof TurnFinishedSchema> {
  return {
    output: textToWire(end.output),
    before: usageToWire(end.before),
    after: usageToWire(end.after),
    leftover: textsToWire(end.leftover),
    ...(end.error === undefined ? {} : { error: errorInfoToWire(end.error) }),
  };
}

/** How a turn ended, off the wire. */
export function turnEndFromWire(message: WireFinished): TurnEnd {
  return {
    output: message.output,
    before: usageFromWire(message.before),
    after: usageFromWire(message.after),
    leftover: [...message.leftover],
    ...(message.error === undefined ? {} : { error: errorInfoFromWire(message.error) }),
  };
}
