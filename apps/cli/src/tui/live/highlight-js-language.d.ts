// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A language of highlight.js, for its core to take. */
declare const language: (core: object) => object;
export default language;
