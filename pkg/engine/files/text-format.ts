// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { problem, type FileProblem } from "./file-problem.js";

/** How a file's bytes are read as text, so that an edit changes nothing else (FS-103). */
export interface TextFormat {
  readonly encoding: "utf8" | "utf16le" | "utf16be";
  readonly bom: boolean;
}

/** A file's text without its byte-order mark, and how to write it back. */
export interface DecodedText {
  readonly ok: true;
  readonly text: string;
  readonly format: TextFormat;
}

/** How new files are written. */
export const PLAIN_UTF8: TextFormat = { encoding: "utf8", bom: false };

/** Reads strictly: UTF-8, or UTF-8/UTF-16 with a mark; bytes that don't decode are refused, never replaced. */
export function decodeText(bytes: Buffer, display: string): DecodedText | FileProblem {
  const format = formatOf(bytes);
  const skip = format.bom ? (format.encoding === "utf8" ? 3 : 2) : 0;
  const label = { utf8: "utf-8", utf16le: "utf-16le", utf16be: "utf-16be" }[format.encoding];
  try {
    const text = new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes.subarray(skip));
    return { ok: true, text, format };
  } catch {
    return problem(
      "NOT_TEXT",
      `${display} is not text in UTF-8 (or UTF-16 with a byte-order mark), so it can't be edited as text`,
    );
  }
}

/** The bytes of a text in a file's own format. */
export function encodeText(text: string, { encoding, bom }: TextFormat): Buffer {
  const whole = `${bom ? "\ufeff" : ""}${text.toWellFormed()}`;
  if (encoding === "utf8") return Buffer.from(whole, "utf8");
  const bytes = Buffer.from(whole, "utf16le");
  return encoding === "utf16le" ? bytes : bytes.swap16();
}

function formatOf(bytes: Buffer): TextFormat {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: "utf8", bom: true };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: "utf16le", bom: true };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: "utf16be", bom: true };
  return PLAIN_UTF8;
}
