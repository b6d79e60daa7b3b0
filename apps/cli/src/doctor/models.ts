// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { InspectedModel } from "../open-backend.js";
import { type Check, failure, type Finding, good, warning } from "./finding.js";

/** Providers whose models run here, or are played: they have no price. */
const FREE: RegExp = /^(ollama|demo)\//;
const ANSWER_MS: number = 30_000;

/** Whether every model's cost is known, so that a limit in dollars holds (CLI-28, MDL-76). */
export const PRICING_CHECK: Check = {
  name: "pricing",
  run: async ({ engine }) => {
    const built = (await engine.models()).filter(({ problem }) => problem === undefined);
    if (built.length === 0) return warning("no model to price: see below");
    const unknown = built.filter(({ name, price }) => price === undefined && !FREE.test(name)).map(({ name }) => name);
    if (unknown.length === 0) return good("known for every model");
    const names = [...new Set(unknown)].join(", ");
    return warning(`unknown for ${names}, so --max-cost-usd can't hold: set its rates under [pricing]`);
  },
};

/** A check for each model by itself; with `online` each is asked for a word (CLI-51, 52). */
export function modelChecks(models: readonly InspectedModel[], online: boolean): readonly Check[] {
  return models.map((model) => ({
    name: model.role,
    run: async ({ program }) => {
      const { role, name, problem, ask } = model;
      // Only without the main model nothing works.
      const broken = role === "model" ? failure : warning;
      if (problem !== undefined) return broken(name === "" ? problem : `${name}: ${problem}`);
      if (!online) return good(name);
      return await answer(name, broken, async () => await ask(ANSWER_MS, program.signal));
    },
  }));
}

async function answer(
  name: string,
  broken: (detail: string) => Finding,
  ask: () => Promise<string | undefined>,
): Promise<Finding> {
  const started = performance.now();
  const problem = await ask();
  if (problem !== undefined) return broken(`${name}: ${problem}`);
  return good(`${name} answered in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
}
