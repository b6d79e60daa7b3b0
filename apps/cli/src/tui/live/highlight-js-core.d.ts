// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type language from "./highlight-js-language.js";

/**
 * highlight.js as far as it is used here. Its own declarations bring the browser's into every file of the
 * program; tsconfig.base.json puts these in their place.
 */
declare const core: {
  registerLanguage(name: string, definition: typeof language): void;
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string };
};
export default core;
