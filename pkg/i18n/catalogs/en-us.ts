// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Catalog } from "../messages.js";

/** The source catalog: every key there is (I18N-02). */
export const EN_US: Catalog = {
  "approval.title": "Allow this?",
  "approval.agent": "{agent} asks:",
  "approval.once": "[y] yes, once",
  "approval.session": "[s] yes, for this session: {label}",
  "approval.always": "[a] always: {label}",
  "approval.no": "[n] no",
  "approval.prompt": "Your answer: ",
  "approval.diff_cut": "{lines, plural, one {# more line of the diff} other {# more lines of the diff}} not shown",
  "approval.unknown": "Answer with one of: {letters}",
  "question.prompt": "Your answer (a number, or text): ",
  "question.plan": "The plan:",
  "question.execute": "[1] carry it out, asking as usual",
  "question.execute_accept_edits": "[2] carry it out, edits accepted",
  "question.keep_planning": "[3] keep planning",
  "demo.intro":
    "This is Blitz at work in a scratch project, with a built-in model that follows a script.\nEverything else is real: the files, the diff, the approval, the command, the undo.",
  "demo.sandbox": "Sandbox for commands: {sandbox}",
  "demo.prompt": "> {prompt}",
  "demo.approved": "Approved by the demo.",
  "demo.undo": "> blitz undo",
  "demo.summary": "What happened, checked by its effect:",
  "demo.step.read": "read the project's files",
  "demo.step.failing": "ran the test and saw it fail",
  "demo.step.diff": "proposed the fix as a diff, and had it approved",
  "demo.step.edited": "changed the file",
  "demo.step.passing": "ran the test again and saw it pass",
  "demo.step.undone": "took everything back, byte for byte",
  "demo.next":
    'Next: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or start Ollama; then run blitz "…" in a project.',
  "demo.failed": "{count, plural, one {# step} other {# steps}} did not happen.",
  "error.prefix": "blitz: {message}",
  "notice.line": "! {text}",
  "session.elsewhere": "This session belongs to {workspace}.",
  "provider.found": "Using {model} ({source}).",
  "provider.source.key": "key from the environment",
  "provider.source.ollama": "local Ollama",
  "provider.none":
    "No model is set up. Three ways to go on:\n  1. a key: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY\n  2. a local model: start Ollama\n  3. no model at all: blitz demo",
  "tool.line": "● {name} {args}",
  "tool.failed": "  failed: {error}",
  "tasks.title": "Tasks {done}/{total}",
  "usage.line":
    "{input} tokens in ({cached} cached), {output} out, {calls, plural, one {# model call} other {# model calls}}, {duration}{cost}",
  "usage.cost": ", about {cost}",
  "sandbox.unconfined": "No OS sandbox on this machine: every command asks, each time.",
  "undo.done": "Undone: {label}",
  "undo.file": "  restored {path}",
  "undo.partial": "Undo stopped part-way: {message}",
  "undo.conflict": "Changed since, so nothing was undone (use --force to restore anyway):\n{files}",
  "undo.nothing": "Nothing to undo.",
  "sessions.none": "No sessions in this workspace.",
  "sessions.untitled": "(untitled)",
};
