// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** What the tests of the file tools stand on; for tests only. */
export { type FileBench, useFileBench } from "./file-bench.js";
