// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { ApprovalKind } from "@blitz/api";

/** The kinds of effect a grant can cover: those the gate decides about. */
export type ActionKind = ApprovalKind;

/** One allowed effect: its kind, and what it touches (a display path, a command, a host, `server:tool`). */
export interface Action {
  readonly kind: ActionKind;
  readonly target: string;
}

const MINT_KEY: unique symbol = Symbol("mint");

/**
 * Proof that actions were allowed. Writing, spawning, fetching and calling MCP servers take one and
 * refuse what it doesn't name. Only `grant/mint` makes one: the constructor asks for a key that never
 * leaves this file, and a copy or a parsed object has no `#allowed`.
 */
export class Grant {
  readonly #allowed: readonly Action[];

  constructor(key: typeof MINT_KEY, allowed: readonly Action[]) {
    if (key !== MINT_KEY) throw new Error("grants are made by grant/mint alone");
    this.#allowed = allowed.map(({ kind, target }) => Object.freeze({ kind, target }));
    Object.freeze(this);
  }

  /** Whether `grant` is a real grant that names this very action. Takes anything, so forgeries are refused, not thrown at. */
  static covers(grant: unknown, kind: ActionKind, target: string): boolean {
    if (typeof grant !== "object" || grant === null || !(#allowed in grant)) return false;
    return grant.#allowed.some(
      (action) => action.kind === kind && (action.target === target || action.target === ANY_TARGET),
    );
  }
}

/** Target of a standing grant: every target of that kind. Minted by `workspace` for Blitz's own programs only. */
export const ANY_TARGET: string = "\u0000any";

/** For `grant/mint`; the door of this room doesn't export it. */
export function makeGrant(allowed: readonly Action[]): Grant {
  return new Grant(MINT_KEY, allowed);
}
