// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Duration, type Timestamp, timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";

/** The first and the last moment a Timestamp can be: years 1 to 9999. */
const FIRST_MS: number = -62_135_596_800_000;
const LAST_MS: number = 253_402_300_799_999;

/** The longest Duration, about 10,000 years. */
const LONGEST_SECONDS: number = 315_576_000_000;

/** A moment on the wire; what is none is 1970. */
export function dateToWire(date: Date): Timestamp {
  const ms = date.getTime();
  return timestampFromMs(Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, FIRST_MS), LAST_MS));
}

/** A moment off the wire; unset, or none, is absent. */
export function dateFromWire(time: Timestamp | undefined): Date | undefined {
  if (time === undefined) return undefined;
  const date = timestampDate(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** A moment every peer sends; one that doesn't is read as 1970. */
export function requiredDate(time: Timestamp | undefined): Date {
  return dateFromWire(time) ?? new Date(0);
}

/** Milliseconds on the wire. */
export function durationToWire(ms: number): { readonly seconds: bigint; readonly nanos: number } {
  const bounded = Number.isNaN(ms) ? 0 : Math.min(Math.max(ms / 1_000, -LONGEST_SECONDS), LONGEST_SECONDS);
  const seconds = Math.trunc(bounded);
  const nanos = Number.isFinite(ms) ? Math.trunc((ms % 1_000) * 1_000_000) : 0;
  return { seconds: BigInt(seconds), nanos };
}

/** Milliseconds off the wire; unset = absent. */
export function durationFromWire(duration: Duration | undefined): number | undefined {
  return duration === undefined ? undefined : Number(duration.seconds) * 1_000 + duration.nanos / 1_000_000;
}
