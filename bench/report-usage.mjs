// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Preloaded into a measured process: writes what it used to descriptor 3 when it exits.

import { writeSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, maxRssMb: maxRSS / 1024 }));
});
