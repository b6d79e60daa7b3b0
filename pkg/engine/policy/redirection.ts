// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Argument, argumentOf } from "./argument.js";
import type { Redirection, Word } from "./parser.js";

/** What a redirection means for the verdict. */
export type RedirectionEffect =
  | { readonly type: "none" }
  /** It writes a file or opens a connection: no pattern covers that (SH-11a). */
  | { readonly type: "writes"; readonly target: string }
  /** Where it reads from is only known when it runs. */
  | { readonly type: "dynamic" };

const WRITING: ReadonlySet<string> = new Set([">", ">>", ">|", "&>", "&>>", "<>", ">&"]);
const HARMLESS = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/;
const DESCRIPTOR = /^(\d+-?|-)$/;
const NONE: RedirectionEffect = { type: "none" };

/** Judges one redirection; here-documents and here-strings only carry text. */
export function redirectionEffect(redirection: Redirection): RedirectionEffect {
  if (redirection.type !== "Redirect") return NONE;
  const { operator, target } = redirection;
  if (target === undefined) return NONE;
  const { literal, text } = argumentOf(target);
  const duplicates = operator === ">&" || operator === "<&";
  if (literal !== undefined && duplicates && DESCRIPTOR.test(literal)) return NONE;
  if (WRITING.has(operator)) {
    return literal !== undefined && HARMLESS.test(literal) ? NONE : { type: "writes", target: literal ?? text };
  }
  if (literal === undefined) return { type: "dynamic" };
  return /^\/dev\/(tcp|udp)\//.test(literal) ? { type: "writes", target: literal } : NONE;
}

/** The script a shell gets on its input by these redirections, if that is literal. */
export function literalInput(redirections: readonly Redirection[]): string | undefined {
  const input = redirections.findLast(
    ({ descriptor }) => descriptor === undefined || (descriptor.type === "FileDescriptor" && descriptor.value === 0),
  );
  if (input?.type === "HereString" && input.target !== undefined) return literalWord(input.target);
  if (input?.type !== "HereDoc") return undefined;
  const { body, delimiter } = input;
  if (delimiter?.quoted === true) return body.text;
  const isPlain = body.parts === undefined || body.parts.every(({ type }) => type === "Literal");
  return isPlain && !body.text.includes("\\") ? body.text : undefined;
}

function literalWord(word: Word): string | undefined {
  const { literal }: Argument = argumentOf(word);
  return literal;
}
