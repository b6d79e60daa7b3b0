// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import { loadAgents } from "../agents/index.js";
import { type ChatModel, ModelError, newFallback, newModelRef, type Price } from "../models/index.js";
import { PROBE_PROMPT } from "../prompt/index.js";
import { buildModel } from "./model-choice.js";
import type { OpenOptions } from "./open-options.js";
import { pricesOf } from "./settings.js";

/** A model of the settings, built by itself: nothing answers in its place. */
export interface InspectedModel {
  /** `model`, `fallback <n>` or `pin <agent>` (CLI-51). */
  readonly role: string;
  /** `provider/name`; as the settings have it when it couldn't be built. */
  readonly name: string;
  /** Why it can't be used, and what to set. */
  readonly problem: string | undefined;
  /** Undefined when nothing says what it costs. */
  readonly price: Price | undefined;
  /**
   * Asks it for one word (CLI-52).
   *
   * @returns what went wrong, undefined when it answered
   * @throws the signal's reason when it aborts
   */
  ask(timeoutMs: number, signal: AbortSignal): Promise<string | undefined>;
}

type About = Pick<OpenOptions, "config" | "env">;

/** The main model, the fallbacks in order, and the agents' pins, each built alone and asked nothing (MDL-02). */
export async function inspectModels(about: About, now: () => Date): Promise<readonly InspectedModel[]> {
  const { blitz, llm, agent_models } = about.config;
  const priceOf = pricesOf(about.config, now);
  const agents = new Set(
    loadAgents()
      .list()
      .map(({ name }) => name),
  );
  const inspect = async (role: string, ref: string, build: () => Promise<ChatModel>): Promise<InspectedModel> => {
    try {
      const model = await build();
      const name = `${model.provider}/${model.name}`;
      const ask: InspectedModel["ask"] = async (timeoutMs, signal) => await askOne(model, timeoutMs, signal);
      return { role, name, problem: undefined, price: priceOf(model.name), ask };
    } catch (error) {
      if (!isReason(error, "MODEL_UNAVAILABLE", "BAD_MODEL_REF")) throw error;
      const hint = error.reason === "BAD_MODEL_REF" ? "; write it as provider/model" : "";
      return unusable(role, ref, error.message + hint);
    }
  };
  const alone = (ref: string) => async (): Promise<ChatModel> =>
    await buildModel(about, ref, (models, fetch) => newModelRef(models, ref, { fetch }));
  const behind = (ref: string) => async (): Promise<ChatModel> =>
    await buildModel(about, "", (models, fetch) => newFallback(models, ref, { fetch }));
  return await Promise.all([
    inspect("model", blitz.default_model, alone(blitz.default_model)),
    ...llm.fallback_models.map((ref, at) => inspect(`fallback ${at + 1}`, ref, behind(ref))),
    ...Object.entries(agent_models).map(([agent, ref]) =>
      agents.has(agent)
        ? inspect(`pin ${agent}`, ref, alone(ref))
        : unusable(`pin ${agent}`, ref, `there is no agent ${agent}: take it out of [agent_models]`),
    ),
  ]);
}

function unusable(role: string, name: string, problem: string): InspectedModel {
  return { role, name, problem, price: undefined, ask: async () => problem };
}

async function askOne(model: ChatModel, timeoutMs: number, signal: AbortSignal): Promise<string | undefined> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const answer = model.generate({
      system: "",
      messages: [{ role: "user", parts: [{ type: "text", text: PROBE_PROMPT }] }],
      tools: [],
      settings: { maxTokens: 16 },
      stream: false,
      sessionId: "doctor",
      signal: AbortSignal.any([signal, limit]),
    });
    for await (const event of answer) if (event.type === "final") return undefined;
    return "it ended without an answer";
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return `no answer in ${timeoutMs / 1_000} s`;
    if (error instanceof ModelError) return error.message;
    throw error;
  }
}
