// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Message, Turn } from "@blitz/api";
import type { Event, Part } from "../history/index.js";
import type { Session } from "../session/index.js";

/** What writing a turn down needs. */
export interface RecordDeps {
  readonly newId: () => string;
  readonly now: () => Date;
  readonly checkpoints: {
    begin(turn: {
      readonly session: string;
      readonly turn: string;
      readonly prompt: number;
      readonly label: string;
      readonly continues?: boolean;
    }): Promise<void>;
  };
  readonly audit: {
    write(entry: {
      readonly kind: "prompt";
      readonly session: string;
      readonly detail: string;
      readonly by?: string;
    }): void;
  };
}

/** The turn that is written down. */
export interface RecordAbout {
  readonly session: Session;
  readonly agent: string;
  readonly turnId: string;
  readonly by: string;
  readonly notice: (text: string) => void;
}

/** What a turn writes into transcript and log. Failures of the transcript are notices, never a failed turn (WS-28). */
export interface TurnRecord {
  /** The prompt, as the transcript has it and as the model is sent it; its index in the transcript. */
  prompt(turn: Turn, sent: string): Promise<number>;
  /** A turn of an earlier process goes on: its changes belong to its prompt. */
  again(turn: Turn, prompt: number): Promise<void>;
  goAhead(text: string): Promise<void>;
  /** Results of calls that were never answered for, before the log goes on. */
  results(parts: readonly Part[]): Promise<void>;
  answer(outputs: readonly string[]): Promise<void>;
}

/** Writes one turn down. */
export function createRecord(deps: RecordDeps, about: RecordAbout): TurnRecord {
  const { session, agent, turnId, by, notice } = about;
  const message = async (role: Message["role"], text: string, kind: Message["kind"]): Promise<void> => {
    try {
      await session.appendMessage({ role, text, time: deps.now(), kind });
    } catch (error) {
      notice(`the message could not be saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const append = async (author: string, role: Event["role"], parts: readonly Part[]): Promise<void> => {
    const time = deps.now().toISOString();
    await session.appendEvents([{ v: 1, id: deps.newId(), turn: turnId, time, author, role, parts }]);
  };
  const userEvent = (text: string): Promise<void> => append("user", "user", [{ type: "text", text }]);
  return {
    prompt: async (turn, sent) => {
      const recorded = recordedText(turn);
      session.noteAgent(agent);
      const isNew = turn.accepted !== true;
      if (isNew) deps.audit.write({ kind: "prompt", session: session.id, detail: recorded, by });
      const { messageCount: prompt } = session.meta;
      await Promise.all([
        deps.checkpoints.begin({ session: session.id, turn: turnId, prompt, label: labelOf(recorded) }),
        ...(isNew ? [message("user", recorded, "")] : []),
      ]);
      await userEvent(sent);
      return prompt;
    },
    again: (turn, prompt) =>
      deps.checkpoints.begin({
        session: session.id,
        turn: turnId,
        prompt,
        label: labelOf(recordedText(turn)),
        continues: true,
      }),
    goAhead: async (text) => {
      await message("user", `(plan approved) ${text}`, "plan");
      await userEvent(text);
    },
    results: (parts) => append(agent, "tool", parts),
    answer: async (outputs) => {
      const text = joined(outputs);
      if (text !== "") await message("model", text, "");
    },
  };
}

/** The answers of a turn's runs as one text. */
export function joined(outputs: readonly string[]): string {
  return outputs.filter((text) => text.trim() !== "").join("\n\n");
}

function recordedText(turn: Turn): string {
  return turn.plan === true ? `/plan ${turn.text}` : turn.text;
}

/** The prompt on one line, at most 60 characters (FS-60). */
function labelOf(text: string): string {
  const points = [...text.replace(/\s+/g, " ").trim()];
  return points.length <= 60 ? points.join("") : `${points.slice(0, 59).join("")}…`;
}
