// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Fetch } from "../wire/index.js";

/** How long a server on this machine may take to say what it has. */
const WAIT_MS: number = 1_000;

/**
 * The models a local Ollama lists, in its order; `undefined` when none answers (BEY-02). Asked only
 * when no provider is set up, or no Ollama model is.
 *
 * @param baseUrl - the OpenAI-compatible address, ending in `/v1`
 */
export async function listOllamaModels(baseUrl: string, fetch: Fetch): Promise<readonly string[] | undefined> {
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/models`, { signal: AbortSignal.timeout(WAIT_MS) });
    if (!response.ok) return undefined;
    const body = (await response.json()) as { readonly data?: readonly { readonly id?: unknown }[] };
    return (body.data ?? []).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  } catch {
    return undefined; // nothing listens there, or it isn't Ollama: the same to the caller
  }
}
