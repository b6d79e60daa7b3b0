// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Turn } from "@blitz/api";
import { OnRequest, type TurnSchema, type Turn as WireTurn } from "@blitz/proto/turn";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { smallCountToWire } from "./count.js";
import { nameOf } from "./named.js";
import { textToWire } from "./text.js";
import { durationFromWire, durationToWire } from "./time.js";

const ON_REQUEST: Readonly<Record<NonNullable<Turn["onRequest"]>, OnRequest>> = {
  wait: OnRequest.WAIT,
  deny: OnRequest.DENY,
};

/** A prompt, on the wire. A limit that is no number is none. */
export function turnToWire(turn: Turn): MessageInitShape<typeof TurnSchema> {
  const { maxCostUsd = 0, timeoutMs, onRequest } = turn;
  return {
    text: textToWire(turn.text),
    prompt: textToWire(turn.prompt ?? ""),
    plan: turn.plan === true,
    readOnly: turn.readOnly === true,
    accepted: turn.accepted === true,
    maxTurns: smallCountToWire(turn.maxTurns ?? 0),
    maxCostUsd: Number.isFinite(maxCostUsd) ? maxCostUsd : 0,
    ...(timeoutMs === undefined || !Number.isFinite(timeoutMs) ? {} : { timeout: durationToWire(timeoutMs) }),
    onRequest: onRequest === undefined ? OnRequest.UNSPECIFIED : ON_REQUEST[onRequest],
  };
}

/** A prompt, off the wire; a limit of 0 is none. */
export function turnFromWire(turn: WireTurn): Turn {
  const timeoutMs = durationFromWire(turn.timeout);
  const onRequest = nameOf(ON_REQUEST, turn.onRequest);
  return {
    text: turn.text,
    ...(turn.prompt === "" ? {} : { prompt: turn.prompt }),
    ...(turn.plan ? { plan: true } : {}),
    ...(turn.readOnly ? { readOnly: true } : {}),
    ...(turn.accepted ? { accepted: true } : {}),
    ...(turn.maxTurns > 0 ? { maxTurns: turn.maxTurns } : {}),
    ...(turn.maxCostUsd > 0 ? { maxCostUsd: turn.maxCostUsd } : {}),
    ...(timeoutMs === undefined || timeoutMs <= 0 ? {} : { timeoutMs }),
    ...(onRequest === undefined ? {} : { onRequest }),
  };
}
