// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Message catalogs and their lookup (04). English is the source; it is code, so nothing is read for it. */
export { EN_US } from "./catalogs/en-us.js";
export { type LocaleInfo, type Locales, openLocales } from "./locales.js";
export { type Catalog, loadMessages, type Messages, type MessageValues } from "./messages.js";
export { openMessages, type OpenMessagesOptions } from "./open-messages.js";
