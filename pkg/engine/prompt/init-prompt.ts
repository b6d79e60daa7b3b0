// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** The prompt that asks for the instruction file; the transcript keeps it as it is (MEM-22). */
export const INIT_COMMAND: string = "/init";

/** What `/init` asks of the agent (ENG-97). */
export const INIT_PROMPT: string = `Write down for coding agents what they need to know to work in this repository.

Where it goes: if AGENTS.md is at the workspace's root, update that file and make no other. Else write BLITZ.md there, or
update the one that is there. Keep what is right in it, mend what is wrong, add what is missing.

Study the repository first: what it is for, how it is built, tested and started, where things are, and how its code is
written. Read the manifests, the continuous integration's settings and the documentation, then some of the code.

What goes in:
- what the project is, in a sentence or two
- the exact commands to build, test, lint and run it, and how to run a single test
- its layout: the folders that matter and what each is for
- conventions that aren't plain from a single file
- what goes wrong easily

Only facts you verified, in under 150 lines. No secrets, no general advice, nothing other instruction files here say already
(CLAUDE.md, GEMINI.md and the like). End with a line or two about what you wrote or changed.`;
