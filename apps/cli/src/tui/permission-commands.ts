// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { RuleEffect } from "@blitz/api";
import { type CommandContext, type SlashCommand, SlashUsage } from "./slash-command.js";

const EFFECTS: readonly RuleEffect[] = ["deny", "ask", "allow"];

/** `/permissions`: the rules in force, strongest first; or one more for this session, or one of its own taken back. */
export const PERMISSIONS: SlashCommand = {
  name: "permissions",
  aliases: ["perms"],
  args: "[allow|ask|deny|remove <rule>]",
  complete: async ({ backend }) => {
    const removals = (await backend.listPermissionRules()).flatMap(({ rule, source }) =>
      source === "session" || source === "flag" ? [{ text: `remove ${rule}` }] : [],
    );
    return [...EFFECTS.map((text) => ({ text })), { text: "remove" }, ...removals];
  },
  run: async (context, args) => {
    if (args === "") return await list(context);
    const [, word = "", rule = ""] = /^(\S+)\s+(\S[\s\S]*)$/.exec(args) ?? [];
    if (word === "remove") return await remove(context, rule);
    const effect = EFFECTS.find((one) => one === word);
    if (effect === undefined) throw new SlashUsage();
    const added = await context.backend.addPermissionRule(effect, rule);
    context.surface.say(context.messages.t("repl.rule_added", { effect, rule: added.rule }), "good");
  },
};

async function remove({ backend, surface, messages }: CommandContext, given: string): Promise<void> {
  const { rule, removed } = await backend.removePermissionRule(given);
  if (removed) return surface.say(messages.t("repl.rule_removed", { rule }), "good");
  const kept = (await backend.listPermissionRules()).find((one) => one.rule === rule);
  const why =
    kept === undefined
      ? messages.t("repl.no_rule", { rule })
      : messages.t("repl.rule_kept", { rule, source: kept.source });
  surface.say(`✗ ${why}`, "bad");
}

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
