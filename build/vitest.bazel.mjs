// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// vitest under Bazel: the room's compiled tests, with the same setup as outside Bazel.
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: process.cwd(),
  // Bazel gives every file as a link into its output tree; following it would leave the test's inputs.
  resolve: { preserveSymlinks: false },
  cacheDir: process.env.TEST_TMPDIR,
  test: {
    include: ["**/*.test.js"],
    exclude: ["**/node_modules/**"],
    setupFiles: ["./build/bazel-setup.mjs", "./build/test-setup.mjs"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    maxWorkers: 1,
  },
});
