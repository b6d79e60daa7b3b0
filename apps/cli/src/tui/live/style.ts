// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Wraps text in a style where styles are shown. */
export type Style = (text: string) => string;
