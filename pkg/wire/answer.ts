// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, Decision } from "@blitz/api";
import { Decision as WireDecision } from "@blitz/proto/turn";
import { nameOf } from "./named.js";
import { textsToWire, textToWire } from "./text.js";

const DECISIONS: Readonly<Record<Decision, WireDecision>> = {
  deny: WireDecision.DENY,
  once: WireDecision.ONCE,
  session: WireDecision.SESSION,
  always: WireDecision.ALWAYS,
};

/** A decision on the wire; an answer that is none, or an unknown one, is unspecified. */
export function decisionToWire(answer: Decision | Answer): WireDecision {
  if (typeof answer !== "string" || !Object.hasOwn(DECISIONS, answer)) return WireDecision.UNSPECIFIED;
  return DECISIONS[answer];
}

/** A decision off the wire; `undefined` when none was given, or one of a newer peer. */
export function decisionFromWire(decision: WireDecision): Decision | undefined {
  return nameOf(DECISIONS, decision);
}

/** An answer to a question, on the wire; a decision is none. */
export function answerToWire(answer: Decision | Answer): { readonly keys: string[]; readonly text: string } {
  if (typeof answer === "string") return { keys: [], text: "" };
  return "keys" in answer ? { keys: textsToWire(answer.keys), text: "" } : { keys: [], text: textToWire(answer.text) };
}

/** An answer to a question, off the wire: keys when there are any, else the text. */
export function answerFromWire({ keys, text }: { readonly keys: readonly string[]; readonly text: string }): Answer {
  return keys.length > 0 ? { keys: [...keys] } : { text };
}
