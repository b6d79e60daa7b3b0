// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/* biome-ignore-all lint/suspicious/noControlCharactersInRegex: control sequences are what is looked for */

/** Operating-system and other strings up to their end, then control sequences, then single ones. */
const STRINGS: RegExp =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/g;
const SEQUENCES: RegExp = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;
const CONTROLS: RegExp = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * A file's text as it goes into a prompt: no byte-order mark, `\n` line ends, no terminal control
 * sequences (MEM-05), nothing around it.
 */
export function cleanText(bytes: Buffer, truncated: boolean): string {
  const whole = truncated ? bytes.subarray(0, lastWhole(bytes)) : bytes;
  return new TextDecoder("utf-8")
    .decode(whole)
    .replaceAll("\r\n", "\n")
    .replaceAll(STRINGS, "")
    .replaceAll(SEQUENCES, "")
    .replaceAll(CONTROLS, "")
    .trim();
}

/** Where the last character that is all there ends. */
function lastWhole(bytes: Buffer): number {
  let lead = bytes.length - 1;
  while (lead > 0 && lead > bytes.length - 4 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead--;
  const first = bytes[lead] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead + length > bytes.length ? lead : bytes.length;
}
