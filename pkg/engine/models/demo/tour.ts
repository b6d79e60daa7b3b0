// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import type { Part } from "../../history/index.js";
import type { ChatModel, ModelFinal } from "../chat-model.js";
import { createScriptedModel } from "../scripted.js";

/** The reference of the built-in model: needs no key and no network. */
export const DEMO_MODEL: string = "demo/tour";

const text = (words: string): Part => ({ type: "text", text: words });
const call = (id: string, name: string, args: JsonObject): Part => ({ type: "toolCall", id, name, args });

/** A script of answers that fixes the demo's scratch project, played through the real engine (BEY-01). */
const TOUR: readonly Partial<ModelFinal>[] = [
  {
    parts: [
      text("I look at the project first."),
      call("tour_1", "list_files", {}),
      call("tour_2", "read_file", { path: "add.sh" }),
      call("tour_3", "read_file", { path: "test.sh" }),
    ],
  },
  {
    parts: [
      text("add.sh subtracts. I run the test to see it fail."),
      call("tour_4", "run_shell_command", { command: "bash test.sh" }),
    ],
  },
  {
    parts: [
      text("As expected. The operator is wrong, so I change that one line."),
      call("tour_5", "replace_in_file", {
        path: "add.sh",
        target_content: "echo $(($1 - $2))",
        replacement_content: "echo $(($1 + $2))",
      }),
    ],
  },
  { parts: [text("Now the same test again."), call("tour_6", "run_shell_command", { command: "bash test.sh" })] },
  {
    parts: [
      text(
        "Fixed: add.sh subtracted instead of adding. Checked with bash test.sh, which passes now. Nothing else was changed.",
      ),
    ],
  },
];

/** The built-in demo model. Deterministic: it says the same whatever it is asked. */
export function createDemoModel(): ChatModel {
  return createScriptedModel(TOUR, { provider: "demo", name: "tour" });
}
