// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A whole number as int64: what is none is 0, what is too large to be exact is cut to what is not. */
export function countToWire(count: number): bigint {
  const whole = Number.isNaN(count) ? 0 : Math.trunc(count);
  return BigInt(Math.min(Math.max(whole, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER));
}

/** A whole number as int32, cut to its range. */
export function smallCountToWire(count: number): number {
  const whole = Number.isNaN(count) ? 0 : Math.trunc(count);
  return Math.min(Math.max(whole, -(2 ** 31)), 2 ** 31 - 1);
}
