// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Captures a command's output up to a limit; the rest is counted and thrown away (SH-03). */
export interface OutputCapture {
  add(chunk: Uint8Array): void;
  /** The text so far, never with half a character at the cut. */
  text(): string;
  isTruncated(): boolean;
}

/** A capture that keeps the first `maxBytes` bytes. */
export function createOutputCapture(maxBytes: number): OutputCapture {
  const chunks: Uint8Array[] = [];
  let kept = 0;
  let total = 0;
  return {
    add: (chunk) => {
      total += chunk.length;
      const room = maxBytes - kept;
      if (room <= 0) return;
      const part = chunk.subarray(0, room);
      chunks.push(Uint8Array.from(part));
      kept += part.length;
    },
    text: () => {
      const bytes = Buffer.concat(chunks);
      if (total <= maxBytes) return bytes.toString("utf8");
      const whole = bytes.subarray(0, wholeLength(bytes));
      return `${whole.toString("utf8")}\n[output cut: ${total - whole.length} of ${total} bytes are not shown]`;
    },
    isTruncated: () => total > maxBytes,
  };
}

/** Length without a last character that isn't complete. */
function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.length - back : bytes.length;
    }
    if (byte < 0x80) return bytes.length;
  }
  return bytes.length;
}
