// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Catalog } from "./messages.js";

const PLAIN: string = "aceinouyACEINOUY";
const ACCENTED: string = "áçéíñóúýÁÇÉÍÑÓÚÝ";

/** The catalog of `en-XA`: accented English in brackets, to find text that never reached a catalog (I18N-06). */
export function pseudoCatalog(english: Catalog): Catalog {
  return Object.fromEntries(Object.entries(english).map(([key, message]) => [key, `⟦${accented(message)}⟧`]));
}

/** Accents what is shown and leaves what ICU reads: a placeholder, a plural's name and its forms' names. */
function accented(message: string): string {
  return message.replace(/\{\w+(?:,\s*\w+,\s*\w+\s*(?=\{)|\})|\w+\s+(?=\{#)|\[\w\]|[a-z]/gi, (found) =>
    found.length > 1 || !PLAIN.includes(found) ? found : (ACCENTED[PLAIN.indexOf(found)] ?? found),
  );
}
