// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Joins the pieces of a text, so that no piece handed on ends inside a character. */
export interface TextJoiner {
  /** Takes a piece; returns what can be shown now, perhaps "". */
  push(piece: string): string;
  /** Everything taken so far, well-formed. */
  text(): string;
}

/** Makes a joiner. A provider may cut between the halves of a surrogate pair; a lone half becomes U+FFFD. */
export function createTextJoiner(): TextJoiner {
  const pieces: string[] = [];
  let held = "";
  return {
    push: (piece) => {
      if (piece === "") return "";
      pieces.push(piece);
      const whole = held + piece;
      const last = whole.charCodeAt(whole.length - 1);
      held = last >= 0xd800 && last <= 0xdbff ? whole.slice(-1) : "";
      return (held === "" ? whole : whole.slice(0, -1)).toWellFormed();
    },
    text: () => pieces.join("").toWellFormed(),
  };
}
