// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { ModelError } from "./index.js";
import { failure, requestFor, run } from "./testing/calls.js";
import { createScriptedModel } from "./testing/index.js";

describe("createScriptedModel (MDL-80)", () => {
  it("gives its answers in order, then Done., and records what it was asked", async () => {
    const usage = { input: 3, cached: 1, cacheWrite: 0, output: 2 };
    const call = { type: "toolCall", id: "c1", name: "now", args: {} } as const;
    const model = createScriptedModel(["Hello.", { parts: [call], usage, servedBy: "other" }]);
    expect((await run(model, requestFor())).text).toBe("Hello.");
    expect((await run(model, requestFor())).final).toMatchObject({
      parts: [call],
      stop: "tool_use",
      usage,
      servedBy: "other",
    });
    expect((await run(model, requestFor())).final).toMatchObject({ parts: [{ text: "Done." }], stop: "end" });
    expect(model.requests).toHaveLength(3);
  });

  it("streams only when asked to", async () => {
    const model = createScriptedModel(["a", "b"]);
    expect((await run(model, requestFor({ stream: false }))).events).toHaveLength(1);
    expect((await run(model, requestFor())).events).toHaveLength(2);
  });

  it("fails, and waits, as told", async () => {
    const error = new ModelError("overloaded", "busy", { provider: "scripted", model: "m" });
    const controller = new AbortController();
    const model = createScriptedModel([{ error }, { delay: new Promise(() => {}) }]);
    expect((await failure(model, requestFor())).error).toBe(error);
    const pending = failure(model, requestFor({ signal: controller.signal }));
    controller.abort(new Error("stop"));
    expect((await pending).error.message).toBe("stop");
  });
});
