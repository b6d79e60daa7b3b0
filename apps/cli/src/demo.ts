// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtemp, mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isatty } from "node:tty";
import type { ApprovalRequest, Backend, TurnEvent, Ui } from "@blitz/api";
import { loadConfig } from "@blitz/config";
import type { Messages } from "@blitz/i18n";
import { EXIT } from "./exit-code.js";
import { createKeyboard } from "./keyboard.js";
import { openLocal } from "./open-backend.js";
import { paint, printable } from "./output/output.js";
import type { RunEnd } from "./output/printer.js";
import { createTextPrinter } from "./output/text-printer.js";
import type { Program } from "./program.js";
import { colouredDiff, createTerminalUi } from "./terminal-ui.js";
import { openWords } from "./words.js";

/** The scratch project: a script with a mistake, and the test that shows it. */
const FILES: Readonly<Record<string, string>> = {
  "README.md": "# Adder\n\n`bash add.sh 2 3` prints the sum. `bash test.sh` checks it.\n",
  "add.sh": "#!/bin/bash\n# Prints the sum of two numbers.\necho $(($1 - $2))\n",
  "test.sh":
    '#!/bin/bash\nsum=$(bash add.sh 2 3)\nif [ "$sum" = 5 ]; then echo "ok: 2 + 3 = $sum"; else echo "failed: 2 + 3 = $sum"; exit 1; fi\n',
};
const PROMPT: string = "The test fails. Find out why and fix it.";

/** What really happened, seen from outside the engine: each step is checked by its effect. */
interface Seen {
  readonly events: TurnEvent[];
  readonly approvals: ApprovalRequest[];
}

/**
 * `blitz demo` (BEY-01): a whole session in a scratch project, with the built-in model `demo/tour`
 * and the real engine. Interactive on a terminal; elsewhere it answers its own questions. The exit
 * code is 0 only when every step's effect was there.
 */
export async function runDemo(program: Program): Promise<number> {
  const scratch = await realpath(await mkdtemp(path.join(tmpdir(), "blitz-demo-")));
  try {
    return await play(program, scratch, await openWords(program));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function play(program: Program, scratch: string, messages: Messages): Promise<number> {
  const { t } = messages;
  const say = (text: string): void => program.stdout.write(`${text}\n`);
  const heading = (text: string): void => say(`\n${paint(program.stdout, 1, text)}`);
  const home = path.join(scratch, "home");
  const dir = path.join(scratch, "adder");
  await Promise.all([mkdir(home), mkdir(dir)]);
  for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(dir, name), text);

  say(t("demo.intro"));
  await using backend = await openScratch(program, home, dir);
  const [sandbox = ""] = await backend.backend.sandboxSummary();
  say(t("demo.sandbox", { sandbox: printable(sandbox) }));
  const seen: Seen = { events: [], approvals: [] };
  const cancel = new AbortController();
  backend.backend.setUi(
    uiOf(program, messages, seen, () => cancel.abort(new DOMException("interrupted", "AbortError"))),
  );

  heading(t("demo.prompt", { prompt: PROMPT }));
  const printer = createTextPrinter(program.stdout, program.stdout, messages);
  const { session } = await backend.backend.openSession("", false);
  const started = performance.now();
  const result = await backend.backend.run(
    session.id,
    { text: PROMPT },
    {
      signal: AbortSignal.any([program.signal, cancel.signal]),
      onEvent: (event) => {
        seen.events.push(event);
        printer.event(event);
      },
    },
  );
  await printer.end({
    exitCode: 0,
    answer: result.output,
    durationMs: performance.now() - started,
    usage: result.after,
  } satisfies RunEnd);

  const afterFix = await readFile(path.join(dir, "add.sh"), "utf8");
  heading(t("demo.undo"));
  const undone = await backend.backend.undo(false);
  for (const file of undone.restored) say(t("undo.file", { path: file }));
  const afterUndo = await readFile(path.join(dir, "add.sh"), "utf8");
  return verdict(program, messages, stepsOf(seen, afterFix, afterUndo));
}

async function openScratch(
  program: Program,
  home: string,
  dir: string,
): Promise<{ readonly backend: Backend } & AsyncDisposable> {
  const env = { PATH: program.env["PATH"], LANG: program.env["LANG"], TERM: program.env["TERM"] };
  const { config } = await loadConfig({ dir: path.join(home, ".blitz"), home, env: { BLITZ_MODEL: "demo/tour" } });
  const backend = await openLocal({
    dir,
    home,
    config,
    env,
    warn: (message) => program.stderr.write(`blitz: ${printable(message)}\n`),
  });
  return { backend, [Symbol.asyncDispose]: () => backend.close() };
}

/** A person answers on a terminal; elsewhere the demo says yes to itself, and shows what it said yes to. */
function uiOf(program: Program, messages: Messages, seen: Seen, cancel: () => void): Ui {
  const { stdin, stdout } = program;
  const own: Ui = {
    approve: async (request) => {
      stdout.write(`${printable(request.detail)}\n`);
      if (request.diff !== undefined) stdout.write(`${colouredDiff(stdout, request.diff, 40, messages)}\n`);
      stdout.write(`${messages.t("demo.approved")}\n`);
      return "once";
    },
    ask: () => Promise.reject(new Error("the demo asks nothing")),
  };
  const person =
    isatty(0) && stdout.isTty
      ? createTerminalUi({
          out: stdout,
          keyboard: createKeyboard(stdin()),
          messages,
          diffLines: 40,
          cancel,
        })
      : own;
  return {
    ask: person.ask,
    approve: async (request, signal) => {
      seen.approvals.push(request);
      return await person.approve(request, signal);
    },
  };
}

interface Step {
  readonly key: string;
  readonly done: boolean;
}

function stepsOf(seen: Seen, afterFix: string, afterUndo: string): Step[] {
  const result = (name: string): readonly Record<string, unknown>[] =>
    seen.events.flatMap((event) => (event.type === "tool_result" && event.name === name ? [event.result] : []));
  const [before, after] = result("run_shell_command");
  return [
    { key: "demo.step.read", done: result("read_file").some((one) => String(one["content"]).includes("$1 - $2")) },
    {
      key: "demo.step.failing",
      done: before?.["exit_code"] === 1 && String(before["output"]).includes("failed: 2 + 3 = -1"),
    },
    { key: "demo.step.diff", done: seen.approvals.some((one) => one.diff?.includes("+echo $(($1 + $2))") === true) },
    { key: "demo.step.edited", done: afterFix.includes("$1 + $2") },
    { key: "demo.step.passing", done: after?.["exit_code"] === 0 && String(after["output"]).includes("ok: 2 + 3 = 5") },
    { key: "demo.step.undone", done: afterUndo === FILES["add.sh"] },
  ];
}

function verdict(program: Program, { t }: Messages, steps: readonly Step[]): number {
  program.stdout.write(`\n${paint(program.stdout, 1, t("demo.summary"))}\n`);
  for (const { key, done } of steps) program.stdout.write(`  ${done ? "✓" : "✗"} ${t(key)}\n`);
  const failed = steps.filter((step) => !step.done).length;
  program.stdout.write(`${failed === 0 ? t("demo.next") : t("demo.failed", { count: failed })}\n`);
  return failed === 0 ? EXIT.ok : EXIT.failed;
}
