// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import { errorText } from "./error-text.js";
import { EXIT } from "./exit-code.js";
import type { Words } from "./opening.js";
import { messageOf } from "./program.js";

/** What an error's words depend on. */
export interface FailureContext {
  readonly exitCode: number;
  readonly messages: Words;
  readonly isAttached: boolean;
}

/** An error in the interface's language, with what only a run can say of it. */
export async function failureText(error: unknown, { exitCode, messages, isAttached }: FailureContext): Promise<string> {
  if (exitCode === EXIT.interrupted) return "interrupted";
  if (!isReason(error)) return messageOf(error);
  const words = await messages();
  const isBare = isReason(error, "MODEL_UNAVAILABLE") && error.metadata["model"] === "";
  return isBare && isAttached
    ? `${words.t("provider.none")}\n${words.t("attach.shell_keys")}`
    : errorText(error, words);
}
