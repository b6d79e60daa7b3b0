// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { type Action, type ActionKind, ANY_TARGET, type Grant, makeGrant } from "../grant.js";

/**
 * Makes a grant for exactly these actions. For `approvals` (one per decision) and `workspace`
 * (standing ones) alone: the import table lists this door separately.
 */
export function mintGrant(actions: readonly Action[]): Grant {
  return makeGrant(actions);
}

/** A standing grant for every target of one kind: programs that come with Blitz or from settings the user owns. */
export function mintStanding(kind: ActionKind): Grant {
  return makeGrant([{ kind, target: ANY_TARGET }]);
}
