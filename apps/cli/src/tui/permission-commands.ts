// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { RuleEffect } from "@blitz/api";
import { type CommandContext, fixed, type SlashCommand, SlashUsage } from "./slash-command.js";

const EFFECTS: readonly RuleEffect[] = ["deny", "ask", "allow"];

/** `/permissions`: the rules in force, strongest first, or one more for this session. */
export const PERMISSIONS: SlashCommand = {
  name: "permissions",
  aliases: ["perms"],
  args: "[allow|ask|deny <rule>]",
  complete: fixed(...EFFECTS),
  run: async (context, args) => {
    if (args === "") return await list(context);
    const [, word = "", rule = ""] = /^(\S+)\s+(\S[\s\S]*)$/.exec(args) ?? [];
    const effect = EFFECTS.find((one) => one === word);
    if (effect === undefined) throw new SlashUsage();
    const added = await context.backend.addPermissionRule(effect, rule);
    context.surface.say(context.messages.t("repl.rule_added", { effect, rule: added.rule }), "good");
  },
};

async function list({ backend, surface, messages }: CommandContext): Promise<void> {
  const rules = await backend.listPermissionRules();
  if (rules.length === 0) surface.say(messages.t("repl.no_rules"), "dim");
  for (const effect of EFFECTS) {
    const mine = rules.filter((rule) => rule.effect === effect);
    for (const { rule, source } of mine.filter((one) => one.source !== "built-in"))
      surface.say(`${effect.padEnd(6)}${rule}  (${source})`);
    const builtIn = mine.filter((one) => one.source === "built-in").map((one) => one.rule);
    if (builtIn.length > 0) surface.say(`${effect.padEnd(6)}${builtIn.join(", ")}  (built-in)`, "dim");
  }
}
