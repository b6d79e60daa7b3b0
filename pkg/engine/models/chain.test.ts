// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { createBreaker } from "../breaker/index.js";
import { type ChainNotice, createChain } from "./chain.js";
import { type ChatModel, ModelError } from "./chat-model.js";
import { failure, requestFor, run } from "./testing/calls.js";
import { createScriptedModel, type ScriptedAnswer, type ScriptedModel } from "./testing/index.js";

const down = (message: string): ScriptedAnswer => ({
  error: new ModelError("overloaded", message, { provider: "scripted", model: "m" }),
});

interface Chain {
  readonly model: ChatModel;
  readonly primary: ScriptedModel;
  readonly backup: ScriptedModel;
  readonly notices: ChainNotice[];
  pass(seconds: number): void;
}

function chainOf(primaryAnswers: readonly ScriptedAnswer[], backupAnswers: readonly ScriptedAnswer[]): Chain {
  let now = 0;
  const notices: ChainNotice[] = [];
  const primary = createScriptedModel(primaryAnswers, { name: "primary" });
  const backup = createScriptedModel(backupAnswers, { name: "backup" });
  const member = (model: ScriptedModel): { model: ScriptedModel; breaker: ReturnType<typeof createBreaker> } => ({
    model,
    breaker: createBreaker({ threshold: 1, now: () => now }),
  });
  const model = createChain(member(primary), [member(backup)], (notice) => notices.push(notice));
  return { model, primary, backup, notices, pass: (seconds) => void (now += seconds * 1000) };
}

describe("createChain (MDL-60…64)", () => {
  it("takes over, says so once, skips the primary while it cools down, tries it again and says it is back", async () => {
    const chain = chainOf([down("a"), "back"], ["one", "two"]);
    const first = await run(chain.model, requestFor());
    expect(first.final).toMatchObject({ fallbackFrom: "primary", servedBy: "backup", parts: [{ text: "one" }] });
    expect((await run(chain.model, requestFor())).text).toBe("two");
    expect(chain.primary.requests).toHaveLength(1);
    chain.pass(15);
    const last = await run(chain.model, requestFor());
    expect(last.text).toBe("back");
    expect(last.final).not.toHaveProperty("fallbackFrom");
    expect(chain.notices.map(({ key }) => key)).toEqual(["model.fallback", "model.fallback_recovered"]);
    expect(chain.model.name).toBe("primary");
  });

  it("doesn't switch after output", async () => {
    const parts = [{ type: "text", text: "half" }] as const;
    const chain = chainOf(
      [{ parts, error: new ModelError("network", "cut", { provider: "p", model: "m" }) }],
      ["never"],
    );
    const { error, events } = await failure(chain.model, requestFor());
    expect(error.message).toBe("cut");
    expect(events).toHaveLength(1);
    expect(chain.backup.requests).toHaveLength(0);
  });

  it("doesn't switch when cancelled, and frees the trial (regression)", async () => {
    const chain = chainOf([down("a"), { delay: new Promise(() => {}) }, "back"], ["one"]);
    await run(chain.model, requestFor());
    chain.pass(15);
    const controller = new AbortController();
    const pending = failure(chain.model, requestFor({ signal: controller.signal }));
    controller.abort(new Error("cancelled"));
    expect((await pending).error.message).toBe("cancelled");
    expect(chain.backup.requests).toHaveLength(1);
    expect((await run(chain.model, requestFor())).text).toBe("back");
  });

  it("doesn't strand the trial of a backup that wasn't needed (regression)", async () => {
    const chain = chainOf([down("a"), down("b"), "ok"], [down("c"), "backup"]);
    await failure(chain.model, requestFor());
    chain.pass(15);
    expect((await run(chain.model, requestFor())).text).toBe("backup");
    chain.pass(30);
    expect((await run(chain.model, requestFor())).text).toBe("ok");
    expect((await run(chain.model, requestFor())).text).toBe("Done.");
  });

  it("leaves a full context to the caller and doesn't blame the model", async () => {
    const full = { error: new ModelError("context_full", "too long", { provider: "p", model: "m" }) };
    const chain = chainOf([full, "short"], ["never"]);
    expect((await failure(chain.model, requestFor())).error.kind).toBe("context_full");
    expect((await run(chain.model, requestFor())).text).toBe("short");
  });

  it("counts a consumer that stops early as success", async () => {
    const chain = chainOf(["one two", "three"], ["never"]);
    for await (const event of chain.model.generate(requestFor())) if (event.type === "textDelta") break;
    expect((await run(chain.model, requestFor())).text).toBe("three");
  });

  it("joins the messages when all fail, and tries all when all are open (MDL-63, MDL-60)", async () => {
    const chain = chainOf([down("a"), "open but asked"], [down("b")]);
    const { error } = await failure(chain.model, requestFor());
    expect(error).toMatchObject({ kind: "overloaded", message: "every model failed: a; b" });
    expect((await run(chain.model, requestFor())).text).toBe("open but asked");
  });
});
