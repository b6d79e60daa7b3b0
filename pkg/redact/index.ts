// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Masks credentials in text and values, in linear time (03 §1). */
export { createRedactor, type Redactor } from "./redactor.js";
export { MASK } from "./spans.js";
