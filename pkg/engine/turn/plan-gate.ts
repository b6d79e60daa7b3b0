// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Where approved plans are saved, and what that gives back to tell the agent. */
export type SavePlan = (sessionId: string, plan: string) => Promise<string>;

/** What became of planning in a turn. */
export type PlanOutcome =
  | { readonly state: "none" }
  | { readonly state: "approved"; readonly file: string; readonly acceptEdits: boolean }
  | { readonly state: "kept"; readonly plan: string };

/** The planning state of running turns: `turn` owns it, the plan tools change it (WS-45). */
export interface PlanGates {
  planning(sessionId: string): boolean;
  canReview(sessionId: string): boolean;
  /** From the next call on, changing tools are refused (ENG-34). */
  enter(sessionId: string): void;
  approve(sessionId: string, plan: string, acceptEdits: boolean): Promise<void>;
  keep(sessionId: string, plan: string): void;
  begin(sessionId: string, planning: boolean, canReview: boolean): void;
  /** What happened since the last look; an approval is told once. */
  outcome(sessionId: string): PlanOutcome;
  /** Whether the run should end so the outcome is acted on. */
  decided(sessionId: string): boolean;
  end(sessionId: string): void;
}

interface State {
  planning: boolean;
  readonly canReview: boolean;
  outcome: PlanOutcome;
}

const NONE: PlanOutcome = { state: "none" };

/** Gates for the sessions of a workspace. A failed save doesn't undo an approval (APR-41). */
export function createPlanGates(save: SavePlan): PlanGates {
  const states = new Map<string, State>();
  const of = (sessionId: string): State =>
    states.get(sessionId) ?? { planning: false, canReview: false, outcome: NONE };
  return {
    begin: (sessionId, planning, canReview) => {
      states.set(sessionId, { planning, canReview, outcome: NONE });
    },
    planning: (sessionId) => of(sessionId).planning,
    canReview: (sessionId) => of(sessionId).canReview,
    enter: (sessionId) => {
      of(sessionId).planning = true;
    },
    approve: async (sessionId, plan, acceptEdits) => {
      const state = of(sessionId);
      const file = await save(sessionId, plan).catch(() => "");
      state.planning = false;
      state.outcome = { state: "approved", file, acceptEdits };
    },
    keep: (sessionId, plan) => {
      of(sessionId).outcome = { state: "kept", plan };
    },
    decided: (sessionId) => of(sessionId).outcome.state !== "none",
    outcome: (sessionId) => {
      const state = of(sessionId);
      const { outcome } = state;
      state.outcome = NONE;
      return outcome;
    },
    end: (sessionId) => {
      states.delete(sessionId);
    },
  };
}
