// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { AgencyLevel } from "@blitz/api";

const AGENCY: Readonly<Record<AgencyLevel, string>> = {
  low: "Take one step at a time. Stop after each and ask before the next. Do nothing of consequence without approval.",
  medium: "Do routine work alone. Check in at milestones and before anything of consequence.",
  high: "Finish the task alone. Ask only when a requirement is missing or a step can't be undone.",
  extreme:
    "Persist until the task is finished and checked. Don't stop while something you started still decides the outcome.",
};

/** What the system text is made of. Within a session only choosing an agent or an agency changes it, so providers can cache it (MDL-32). */
export interface SystemFacts {
  /** The agent's prompt; `{agency_instructions}` in it becomes the level's rules. */
  readonly agentPrompt: string;
  readonly agency: AgencyLevel;
  readonly workspace: string;
  readonly platform: string;
  /** Rendered instruction files, or "". */
  readonly memory: string;
}

/** The system text of a run (ENG-02). */
export function systemText(facts: SystemFacts): string {
  const prompt = facts.agentPrompt.replace(/\{\{?agency_instructions\}?\}/g, () => AGENCY[facts.agency]);
  const place = `Workspace: ${facts.workspace}\nPlatform: ${facts.platform}`;
  return [prompt.trim(), place, facts.memory.trim()].filter((part) => part !== "").join("\n\n");
}

/** What a planning turn asks for (ENG-32). */
export function planPrompt(goal: string): string {
  return [
    "Plan this without changing anything:",
    "",
    goal,
    "",
    "Read what you need first. The plan says: the objective; numbered steps naming files and functions; risks and what is",
    "unknown; how the result will be verified; questions only if they block the work. Present it with exit_plan_mode; where",
    "nobody can review it, it is your answer.",
  ].join("\n");
}

/** The go-ahead after a plan was approved (ENG-32). */
export function carryOutPrompt(planFile: string): string {
  const where = planFile === "" ? "" : ` It is saved in ${planFile}.`;
  return `The plan is approved.${where} Carry it out now, step by step, and verify the result as it says.`;
}

/** What `doctor --online` asks a model, to see whether it answers at all (CLI-52). */
export const PROBE_PROMPT: string = "Reply with the single word: ok";
