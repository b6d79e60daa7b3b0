// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { isReason } from "@blitz/api";
import type { Messages } from "@blitz/i18n";
import { messageOf } from "./program.js";

/** An error in the interface's language where the catalog has its reason, else its own message (I18N-22). */
export function errorText(error: unknown, { t, has }: Messages): string {
  const text = messageOf(error);
  if (!isReason(error)) return text;
  if (isReason(error, "MODEL_UNAVAILABLE") && error.metadata["model"] === "") return t("provider.none");
  const key = `error.${error.reason}`;
  return has(key) ? t(key, { ...error.metadata, message: text }) : text;
}
