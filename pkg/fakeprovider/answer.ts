// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The wire formats it speaks. */
export type Wire = "anthropic" | "responses" | "chat" | "gemini";

/** A piece of an answer, whatever the wire. */
export type AnswerPart =
  | { readonly type: "text"; readonly text: string; readonly signature?: string }
  | { readonly type: "thinking"; readonly text: string; readonly signature?: string }
  | { readonly type: "redacted"; readonly data: string }
  | {
      readonly type: "call";
      /** Left out: one is made up, except for Gemini, which then sends none. */
      readonly id?: string;
      readonly name: string;
      readonly args?: unknown;
      /** Sent instead of `args`, as it is: for arguments that aren't JSON. */
      readonly argsText?: string;
      readonly signature?: string;
    }
  /** A block in the wire's own form. */
  | { readonly type: "raw"; readonly block: object };

/** Token counts in neutral form: `input` is all prompt tokens, cached ones included. */
export interface AnswerUsage {
  readonly input: number;
  readonly cached?: number;
  readonly cacheWrite?: number;
  readonly output: number;
}

/** Bytes to send, or a promise to wait for before going on. */
export type Piece = string | Uint8Array | Promise<unknown>;

/** What to answer one request with. Everything is optional: `{}` says nothing and ends. */
export interface Answer {
  /** Short for one text part. */
  readonly text?: string;
  readonly parts?: readonly AnswerPart[];
  readonly usage?: AnswerUsage;
  /** `end` (`tool_use` when there are calls), `max_tokens`, `refusal`, `context_full`, or the wire's own word. */
  readonly stop?: string;
  /** Category of a refusal. */
  readonly refusal?: string;
  /** The model said to have answered; the one asked for otherwise. */
  readonly model?: string;
  /** 200 otherwise. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is instead of a rendered answer; an object as JSON. */
  readonly body?: string | object;
  /** Sent as they are instead of a rendered answer, one write each. */
  readonly pieces?: readonly Piece[];
  /** Changes the rendered events before they are framed. */
  readonly edit?: (events: readonly SseFrame[]) => readonly SseFrame[];
  /** Cuts the framed bytes; each piece is one write, given the time to leave. */
  readonly split?: (bytes: Uint8Array) => readonly Piece[];
  /** Characters of text and arguments in one event; 8 otherwise. */
  readonly deltaLength?: number;
  /** Resolved by the test before the headers go out. */
  readonly hold?: Promise<unknown>;
  /** Resolved by the test before the body goes out. */
  readonly holdBody?: Promise<unknown>;
  /** `clean` otherwise. `cut` closes the socket without ending the body, `reset` resets it. */
  readonly end?: "clean" | "cut" | "reset";
}

/** One server-sent event before it is framed. */
export interface SseFrame {
  readonly event?: string;
  /** Objects become JSON. */
  readonly data: object | string;
}

/** An answer, or a function that makes it from the request. */
export type ScriptEntry = Answer | ((request: ReceivedRequest) => Answer);

/** A request as it came. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parsed body; `undefined` without one. */
  readonly body: unknown;
  readonly text: string;
  /** Bytes of the body. */
  readonly bytes: number;
  /** When its headers had arrived, by `performance.now()` and by the calendar. */
  readonly at: number;
  readonly date: Date;
  readonly wire: Wire | undefined;
  /** Which connection it came on, counted from 1. */
  readonly connection: number;
  readonly violations: readonly string[];
  /** Settles when the other side closed the connection or the answer was sent whole. */
  readonly closed: Promise<"finished" | "aborted">;
}

/** The parts of an answer, `text` included. */
export function partsOf(answer: Answer): readonly AnswerPart[] {
  const text: readonly AnswerPart[] = answer.text === undefined ? [] : [{ type: "text", text: answer.text }];
  return [...(answer.parts ?? []), ...text];
}

/** Arguments of a call as the text that goes over the wire. */
export function argsTextOf(part: Extract<AnswerPart, { type: "call" }>): string {
  return part.argsText ?? JSON.stringify(part.args ?? {});
}

/** Cuts text into pieces of `length` code points, so that no piece ends inside one. */
export function slices(text: string, length: number): readonly string[] {
  const points = Array.from(text);
  const pieces: string[] = [];
  for (let i = 0; i < points.length; i += length) pieces.push(points.slice(i, i + length).join(""));
  return pieces;
}

/** Whether the answer holds a call. */
export function hasCalls(parts: readonly AnswerPart[]): boolean {
  return parts.some((part) => part.type === "call");
}
