// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { ApiError, apiError, isReason, type Turns } from "@blitz/api";
import type { Config } from "@blitz/config";
import type { Environment } from "../exec/index.js";

/** Everything that must not be seen in records: keys, and values of variables children don't get (RED-03). */
export function secretsOf(config: Config, env: Environment): string[] {
  const keys = [config.llm.anthropic.api_key, config.llm.gemini.api_key, config.llm.openai.api_key];
  const globs = config.sandbox.scrub_env.map(
    (glob) => new RegExp(`^${glob.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "i"),
  );
  const scrubbed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && globs.some((glob) => glob.test(name)) ? [value] : [],
  );
  return [...keys, ...scrubbed];
}

/** What callers may see of a failure: an `ApiError`, or an abort; the rest is a bug (WS-82). */
export function asKnown(error: unknown): unknown {
  if (error instanceof ApiError || isReason(error)) return error;
  if (error instanceof DOMException && error.name === "AbortError") return error;
  return apiError("INTERNAL", error instanceof Error ? error.message : String(error), {}, error);
}

/** A handler that throws ends its turn with its own error, whatever that is (CTR-20). */
export function passHandlerErrors(run: Turns["run"]): Turns["run"] {
  return async (sessionId, turn, handlers) => {
    let thrown: { readonly error: unknown } | undefined;
    const onEvent: typeof handlers.onEvent = (event) => {
      try {
        handlers.onEvent(event);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    };
    try {
      return await run(sessionId, turn, { ...handlers, onEvent });
    } catch (error) {
      throw thrown === undefined ? error : thrown.error;
    }
  };
}
