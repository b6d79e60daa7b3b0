// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { loadConfig } from "@blitz/config";
import { openWorkspace } from "@blitz/engine";
import { attachTo, startBlitzd } from "./blitzd.js";
import { describeContract } from "./contract.js";

describeContract("in process", async (place) => {
  const { home, ws, cfg, env } = place;
  const { config } = await loadConfig({ dir: cfg, workspace: ws, home, env });
  const backend = await openWorkspace({ dir: ws, home, config, env, warn: () => undefined });
  return { backend, isHosted: false, end: () => backend.close() };
});

describeContract("over the service", async (place) => {
  const service = startBlitzd(place);
  await service.ready;
  const backend = await attachTo(place);
  return {
    backend,
    isHosted: true,
    end: async () => {
      await backend.close();
      await service[Symbol.asyncDispose]();
    },
  };
});
