// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { assignmentSpans, isSecretName, MASK, masked, shapeSpans, valueSpans } from "./spans.js";

/** Masks secrets in what is recorded or shown; what the model and the session hold is never changed (RED-07). */
export interface Redactor {
  /** The text with secrets masked. Redact first, cut afterwards (RED-06). Linear time (RED-05). */
  text(text: string): string;
  /** A masked copy, to any depth; cycles and very deep values end in `[…]` (RED-04). */
  value(value: unknown): unknown;
  /** Learns an exact value from now on; under 8 characters it is ignored (RED-03). */
  add(secret: string): void;
}

const SHORTEST: number = 8;
const DEEPEST: number = 32;

/** A redactor that knows these exact values beside the credential shapes. */
export function createRedactor(secrets: Iterable<string> = []): Redactor {
  let values: readonly string[] = [];
  const add = (secret: string): void => {
    if (secret.length < SHORTEST || values.includes(secret)) return;
    values = [...values, secret].sort((a, b) => b.length - a.length);
  };
  for (const secret of secrets) add(secret);

  const text = (given: string): string =>
    masked(given, [...valueSpans(given, values), ...shapeSpans(given), ...assignmentSpans(given)]);
  const walk = (value: unknown, name: string, path: ReadonlySet<object>): unknown => {
    if (typeof value === "string") return isSecretName(name) && value.length >= 6 ? MASK : text(value);
    if (typeof value !== "object" || value === null) return value;
    if (path.has(value) || path.size >= DEEPEST) return "[…]";
    const inside = new Set(path).add(value);
    if (Array.isArray(value)) return value.map((one) => walk(one, name, inside));
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, key, inside)]));
  };
  return { text, value: (value) => walk(value, "", new Set()), add };
}
