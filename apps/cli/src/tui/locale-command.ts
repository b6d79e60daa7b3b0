// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { saveHeld } from "./save-held.js";
import type { CommandContext, SlashCommand } from "./slash-command.js";

/** `/locale`: the languages there are, or another one, at once and from now on (I18N-21). */
export const LOCALE: SlashCommand = {
  name: "locale",
  aliases: ["lang"],
  args: "[language]",
  complete: async ({ language }) => (await language.available()).map(({ tag, name }) => ({ text: tag, detail: name })),
  run: async (context, given) => {
    if (given === "") return await list(context);
    await speak(context, given);
    await saveHeld(context, "ui.locale", (await context.language.current()).tag);
  },
};

/** Takes another language for this session, and says so in it. */
export async function speak({ language, surface, messages }: CommandContext, given: string): Promise<void> {
  const { tag, name, hasCatalog } = await language.use(given);
  surface.say(messages.t("repl.locale_set", { name, tag }), "good");
  if (!hasCatalog) surface.say(messages.t("repl.no_catalog", { name }), "warn");
}

async function list({ language, surface, messages }: CommandContext): Promise<void> {
  const [current, available] = await Promise.all([language.current(), language.available()]);
  const isListed = available.some(({ tag }) => tag === current.tag);
  for (const { tag, name } of isListed ? available : [current, ...available])
    surface.say(`${tag === current.tag ? "›" : " "} ${tag.padEnd(8)}${name}`);
  if (!current.hasCatalog) surface.say(messages.t("repl.no_catalog", { name: current.name }), "warn");
}
