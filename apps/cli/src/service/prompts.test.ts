// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Answer, Answered, ApprovalRequest, Decision, Question, Request } from "@blitz/api";
import { describe, expect, it } from "vitest";
import { answerOf } from "./approvals-answer.js";
import { createPrompts } from "./prompts.js";

const about = { sessionId: "session-x", turnId: "t", created: new Date(0) };
const approval: ApprovalRequest = {
  tool: "create_file",
  kind: "write_file",
  detail: "Create a.txt",
  key: "",
  keyLabel: "",
  targets: ["a.txt"],
  mustAsk: false,
};
const question: Question = {
  question: "Which?",
  options: [
    { key: "a", label: "A" },
    { key: "b", label: "B" },
  ],
};
const edit: Request = { ...about, id: "e", approval };
const which: Request = { ...about, id: "w", question };

/** Prompts over a person whose answers the test gives, and a service that notes what it is told. */
function setUp(result: Partial<Answered> = {}) {
  const leave = new AbortController();
  const asked: { readonly answer: (given: Decision) => void; readonly signal: AbortSignal }[] = [];
  const given: unknown[] = [];
  const told: unknown[] = [];
  const answered = Promise.withResolvers<void>();
  const tell = (what: unknown): void => {
    told.push(what);
    answered.resolve();
  };
  const asking = <T>(signal: AbortSignal): Promise<T> =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("withdrawn")), { once: true });
      asked.push({ answer: (value) => resolve(value as T), signal });
    });
  const prompts = createPrompts({
    ui: { approve: (_request, signal) => asking(signal), ask: (_question, signal) => asking(signal) },
    leave: leave.signal,
    onAnswered: (request, { won }) => tell([request.id, won]),
    onFailed: tell,
  });
  const where = {
    answerRequest: async (id: string, answer: Decision | Answer): Promise<Answered> => {
      given.push([id, answer]);
      return { won: true, by: "me", answer, ...result };
    },
  };
  return { prompts, where, asked, given, told, leave, answered: answered.promise };
}

describe("requests asked at this terminal (SVC-26)", () => {
  it("asks once, and gives the answer", async () => {
    const { prompts, where, asked, given, told, answered } = setUp();
    prompts.ask(edit, where);
    prompts.ask(edit, where);
    expect([asked.length, prompts.isAsked("e"), prompts.isAsked("w")]).toEqual([1, true, false]);
    asked[0]?.answer("once");
    await answered;
    expect([given, told]).toEqual([[["e", "once"]], [["e", true]]]);
  });

  it("tells when another answer came first", async () => {
    const { prompts, where, asked, told, answered } = setUp({ won: false, by: "cli;other" });
    prompts.ask(edit, where);
    asked[0]?.answer("once");
    await answered;
    expect(told).toEqual([["e", false]]);
  });

  it("closes the prompt of a request that was answered elsewhere, and gives nothing", async () => {
    const { prompts, where, asked, given } = setUp();
    prompts.ask(edit, where);
    expect([prompts.withdraw("e"), prompts.withdraw("e"), prompts.withdraw("w")]).toEqual([true, false, false]);
    expect(asked[0]?.signal.aborted).toBe(true);
    await prompts.close();
    expect(given).toEqual([]);
  });

  it("a denial by the key that leaves isn't given (CL-22)", async () => {
    const { prompts, where, asked, given, leave } = setUp();
    prompts.ask(edit, where);
    asked[0]?.answer("deny");
    leave.abort();
    await prompts.close();
    expect(given).toEqual([]);
  });

  it("an answer that can't be given is told", async () => {
    const { prompts, asked, told, answered } = setUp();
    const problem = new Error("gone");
    prompts.ask(which, { answerRequest: () => Promise.reject(problem) });
    asked[0]?.answer("once");
    await answered;
    expect(told).toEqual([problem]);
  });
});

describe("an answer on the command line (BEY-42)", () => {
  it.each([
    ["a decision", edit, ["always"], "always"],
    ["an option's key", which, ["b"], { keys: ["b"] }],
    ["two keys", which, ["a", "b"], { keys: ["a", "b"] }],
    ["free text", which, ["neither", "a"], { text: "neither a" }],
  ] as const)("%s", (_name, request, words, expected) => expect(answerOf(request, words)).toEqual(expected));

  it.each([["yes"], ["ONCE"], ["toString"], ["once", "always"]])("refuses %j for an approval", (...words) => {
    expect(() => answerOf(edit, words)).toThrow(/an approval is answered by/);
  });
});
