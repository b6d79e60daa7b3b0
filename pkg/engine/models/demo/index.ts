// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The built-in model of `blitz demo`. */
export { createDemoModel, DEMO_MODEL } from "./tour.js";
