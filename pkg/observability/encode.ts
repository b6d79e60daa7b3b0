// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createRedactor, type Redactor } from "@blitz/redact";

/** The longest line in bytes, its newline not counted (03 §7). */
const LONGEST_LINE: number = 64 * 1024;
const DEEPEST_CAUSE: number = 8;
const RESERVED: ReadonlySet<string> = new Set(["time", "level", "msg"]);
/** Knows no values, only names: `password`, `api_key` and their kin. */
const BY_NAME: Pick<Redactor, "value"> = createRedactor();

/** What a record says beside its message. */
export type Attributes = Readonly<Record<string, unknown>>;

/** One record, not yet text. */
export interface LogRecord {
  readonly time: Date;
  /** Upper-case. */
  readonly level: string;
  readonly message: string;
  /** In the order they are written; of two with one key the later counts. */
  readonly attributes: readonly Attributes[];
}

/** How values become text. */
export interface Encoding {
  /** Masks secrets in a text. One that throws costs the field, not the record (RED-08). */
  readonly redact: (text: string) => string;
  /** Whether errors keep their stack. */
  readonly withStacks: boolean;
}

/** The record as one line without its newline, secrets masked first and long values cut after (LOG-03, RED-06). */
export function encodeRecord(encoding: Encoding, record: LogRecord): string {
  const fields: readonly Field[] = [
    ["time", JSON.stringify(record.time)],
    ["level", JSON.stringify(record.level)],
    ["msg", encodeValue(encoding, "msg", () => record.message) ?? '""'],
    ...attributesOf(encoding, record.attributes),
  ];
  const line = `{${fields.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
  return Buffer.byteLength(line) <= LONGEST_LINE ? line : cutLine(fields);
}

type Field = readonly [key: string, text: string];

function attributesOf(encoding: Encoding, layers: readonly Attributes[]): readonly Field[] {
  const fields = new Map<string, string>();
  for (const layer of layers)
    for (const key of Object.keys(layer)) {
      const text = encodeValue(encoding, key, () => layer[key]);
      fields.delete(key);
      if (text !== undefined) fields.set(RESERVED.has(key) ? `attribute_${key}` : key, text);
    }
  return [...fields];
}

/** A value as JSON; undefined for what JSON has no word for. One that can't be encoded says so instead (03 §5). */
function encodeValue(encoding: Encoding, key: string, read: () => unknown): string | undefined {
  try {
    return JSON.stringify(read(), function (this: Attributes, name, value: unknown) {
      const given = this[name]; // before its own `toJSON`, which errors may have
      if (given instanceof Error) return errorParts(encoding, given, 0);
      return typeof value === "string" ? mask(encoding, name === "" ? key : name, value) : value;
    });
  } catch (error) {
    return JSON.stringify(`[can't be encoded: ${error instanceof Error ? error.name : "unknown"}]`);
  }
}

/** Its texts are masked when they are visited. */
function errorParts(encoding: Encoding, error: Error, depth: number): Attributes {
  const { name, message, cause, stack } = error;
  const inner = cause instanceof Error && depth < DEEPEST_CAUSE ? errorParts(encoding, cause, depth + 1) : undefined;
  return {
    name,
    message,
    ...(encoding.withStacks ? { stack } : {}),
    ...(cause === undefined ? {} : { cause: inner ?? (cause instanceof Error ? "[…]" : cause) }),
  };
}

function mask(encoding: Encoding, name: string, text: string): string {
  try {
    return Object.values(BY_NAME.value({ [name]: encoding.redact(text) }) as Record<string, string>)[0] ?? "";
  } catch {
    return "[REDACTION FAILED]";
  }
}

/** The record with what is too long cut, each long field to about half of the room left, and still one JSON object. */
function cutLine(fields: readonly Field[]): string {
  let line = "{";
  for (const [key, text] of fields) {
    const start = `${line === "{" ? "" : ","}${JSON.stringify(key)}:`;
    const room = LONGEST_LINE - Buffer.byteLength(`${line}${start}}`);
    const shown = cutText(text, room);
    if (shown !== undefined) line += `${start}${shown}`;
  }
  return `${line}}`;
}

function cutText(text: string, room: number): string | undefined {
  if (Buffer.byteLength(text) <= room) return text;
  const whole = text.startsWith('"') ? (JSON.parse(text) as string) : text;
  for (let length = room >> 1; length > 0; length >>= 1) {
    const cut = JSON.stringify(`${whole.slice(0, length)}… (${whole.length} characters)`);
    if (Buffer.byteLength(cut) <= room) return cut;
  }
  return undefined;
}
