// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A text any peer can decode: a lone surrogate becomes U+FFFD (PRT-09). */
export function textToWire(text: string): string {
  return text.toWellFormed();
}

/** Texts any peer can decode. */
export function textsToWire(texts: readonly string[]): string[] {
  return texts.map(textToWire);
}
