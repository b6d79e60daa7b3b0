// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { CommandText } from "./shell-pattern.js";
import { HARMLESS_VARIABLE } from "./wrappers.js";

/** A command found in a script. */
export interface FoundCommand extends CommandText {
  /** A wrapper runs another command found too; allow and auto-approve patterns look at that one. */
  readonly isWrapper: boolean;
  /** Some of its words are only known when it runs. */
  readonly isDynamic: boolean;
  /** Its name, if that is literal. */
  readonly name: string | undefined;
}

/** All that was found in a script. */
export interface Findings {
  readonly commands: readonly FoundCommand[];
  /** The first file a redirection writes. */
  readonly redirect: string | undefined;
  /** Why parts of it can't be checked at all (SH-13). */
  readonly unverified: readonly string[];
  /** Why later words may not mean what they say (SH-61). */
  readonly obstacles: readonly string[];
  /** The parser's first complaint, of nested scripts too. */
  readonly parseError: string | undefined;
}

/** Collects findings while a script is walked. */
export interface FindingsList {
  command(found: FoundCommand): void;
  redirect(target: string): void;
  unverified(why: string): void;
  obstacle(why: string): void;
  /** A variable that is assigned or removed; harmless ones are passed over. */
  assigned(name: string): void;
  parseError(message: string): void;
  done(): Findings;
}

/** An empty list. */
export function createFindings(): FindingsList {
  const commands: FoundCommand[] = [];
  const unverified: string[] = [];
  const obstacles: string[] = [];
  let redirect: string | undefined;
  let parseError: string | undefined;
  const obstacle = (why: string): void => {
    obstacles.push(why);
  };
  return {
    command: (found) => commands.push(found),
    redirect: (target) => {
      redirect ??= target;
    },
    unverified: (why) => unverified.push(why),
    obstacle,
    assigned: (name) => {
      if (!HARMLESS_VARIABLE.test(name)) obstacle(`it sets the variable ${name}, which can change what a command does`);
    },
    parseError: (message) => {
      parseError ??= message;
    },
    done: () => ({ commands, redirect, unverified, obstacles, parseError }),
  };
}
