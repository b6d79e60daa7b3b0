// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject, Question, TaskItem } from "@blitz/api";
import type { CallContext, Tool } from "../call/index.js";

/** What a turn does about planning, as the plan tools see it (APR-41, 42). */
export interface PlanGate {
  planning(sessionId: string): boolean;
  /** Whether a person can review a plan now. */
  canReview(sessionId: string): boolean;
  /** From the next call on, changing tools are refused (ENG-34). */
  enter(sessionId: string): void;
  /** The user approved the plan; planning ends, and the turn carries it out. */
  approve(sessionId: string, plan: string, acceptEdits: boolean): Promise<void>;
  /** The turn ends with the plan as its answer. */
  keep(sessionId: string, plan: string): void;
}

/** What the dialog tools need. */
export interface DialogDeps {
  readonly plans: PlanGate;
  /** Whether the agent may begin planning by itself (`blitz.plan_review`). */
  readonly agentDecides: boolean;
}

const STATUSES: Readonly<Record<string, TaskItem["status"]>> = {
  "": "pending",
  pending: "pending",
  todo: "pending",
  in_progress: "in_progress",
  "in-progress": "in_progress",
  active: "in_progress",
  doing: "in_progress",
  done: "done",
  completed: "done",
  complete: "done",
};

/** `ask_user_question`, `todo`, `exit_plan_mode` and, where the agent decides, `enter_plan_mode` (05 §6). */
export function dialogTools(deps: DialogDeps): Tool[] {
  return [askTool, todoTool, exitPlanTool(deps.plans), ...(deps.agentDecides ? [enterPlanTool(deps.plans)] : [])];
}

const askTool: Tool = {
  name: "ask_user_question",
  description: "Ask the user something only they can decide. Prefer finding out yourself.",
  planAllowed: true,
  schema: {
    type: "object",
    properties: { question: { type: "string" }, options: { type: "array", items: { type: "string" }, maxItems: 10 } },
    required: ["question"],
    additionalProperties: false,
  },
  run: async (args, context) => {
    const question = String(args["question"]).trim();
    if (question === "") return { error: "the question is empty" };
    if (context.ask === undefined)
      return { error: "nobody can answer now: decide yourself and state what you assumed" };
    const labels = (args["options"] as readonly string[] | undefined) ?? [];
    return await answerOf(context, { question, options: labels.map((label, at) => ({ key: String(at + 1), label })) });
  },
};

async function answerOf(context: CallContext, question: Question): Promise<JsonObject> {
  const answer = await context.ask?.(question, context.signal);
  if (answer === undefined) return { error: "the question was not answered" };
  if ("text" in answer) return { answer: answer.text };
  const chosen = question.options.filter((option) => answer.keys.includes(option.key));
  if (chosen.length !== 1 || answer.keys.length !== 1) return { error: "the answer is none of the options" };
  return { answer: chosen[0]?.label ?? "", key: chosen[0]?.key ?? "" };
}

const todoTool: Tool = {
  name: "todo",
  description: "Replace your task list for multi-step work. One item in_progress at a time.",
  planAllowed: true,
  schema: {
    type: "object",
    properties: {
      items: {
        type: "array",
        maxItems: 50,
        items: {
          type: "object",
          properties: { content: { type: "string" }, status: { type: "string" } },
          required: ["content"],
          additionalProperties: false,
        },
      },
    },
    required: ["items"],
    additionalProperties: false,
  },
  run: async (args, context) => {
    const items: TaskItem[] = [];
    for (const given of args["items"] as readonly { readonly content: string; readonly status?: string }[]) {
      const content = given.content.trim();
      const status = STATUSES[(given.status ?? "").trim().toLowerCase()];
      if (content === "") return { error: "an item has no content" };
      if (status === undefined) return { error: `unknown status "${given.status}"; use pending, in_progress or done` };
      items.push({ content, status });
    }
    context.emit({ type: "tasks", items });
    const working = items.filter((item) => item.status === "in_progress").length;
    const result = { items, done: items.filter((item) => item.status === "done").length, total: items.length };
    return working > 1 ? { ...result, note: `${working} items are in progress; keep one at a time` } : result;
  },
};

const enterPlanTool = (plans: PlanGate): Tool => ({
  name: "enter_plan_mode",
  description:
    "Begin planning before large or risky changes: only reading tools until exit_plan_mode's plan is approved.",
  planAllowed: true,
  schema: { type: "object", properties: { reason: { type: "string" } }, additionalProperties: false },
  run: async (_args, context) => {
    if (plans.planning(context.sessionId)) return { planning: true, note: "already planning" };
    if (!plans.canReview(context.sessionId)) return { error: "nobody can review a plan now: go on without one" };
    plans.enter(context.sessionId);
    return { planning: true };
  },
});

const PLAN_OPTIONS: Question["options"] = ["execute", "execute_accept_edits", "keep_planning"].map((key) => ({
  key,
  label: "",
}));

const exitPlanTool = (plans: PlanGate): Tool => ({
  name: "exit_plan_mode",
  description: "Present the finished plan (Markdown) for review. Only while planning.",
  planAllowed: true,
  schema: { type: "object", properties: { plan: { type: "string" } }, required: ["plan"], additionalProperties: false },
  run: async (args, context) => {
    const plan = String(args["plan"]).trim();
    if (!plans.planning(context.sessionId)) return { error: "not planning: exit_plan_mode has nothing to end" };
    if (plan === "") return { error: "the plan is empty" };
    if (context.ask === undefined || !plans.canReview(context.sessionId)) {
      plans.keep(context.sessionId, plan);
      return { approved: false, note: "nobody can review it now; it is the answer of this turn" };
    }
    const answer = await context.ask({ question: "", plan, options: PLAN_OPTIONS }, context.signal);
    if ("text" in answer) return { approved: false, feedback: answer.text };
    return await carry(plans, context.sessionId, plan, answer.keys);
  },
});

async function carry(plans: PlanGate, sessionId: string, plan: string, keys: readonly string[]): Promise<JsonObject> {
  const key: string = keys.length === 1 ? (keys[0] ?? "") : "";
  switch (key) {
    case "execute":
    case "execute_accept_edits":
      await plans.approve(sessionId, plan, key === "execute_accept_edits");
      return { approved: true };
    case "keep_planning":
      plans.keep(sessionId, plan);
      return { approved: false };
    default:
      return { error: "the answer is none of the options" };
  }
}
