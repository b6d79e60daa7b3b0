// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["blitz-source", "node", "import", "default"] },
  ssr: { resolve: { conditions: ["blitz-source", "node", "import", "default"] } },
  test: {
    include: ["pkg/**/*.test.ts", "apps/**/*.test.ts", "tools/**/*.test.ts", "build/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    setupFiles: ["./build/test-setup.mjs"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
