// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { unifiedDiff } from "../diff/index.js";
import { decodeText } from "../files/index.js";
import type { BlobStore } from "./blob-store.js";
import type { ChangeRecord } from "./record.js";
import { stateOf } from "./restore.js";

/** From each file's state before to what is there now, as one text (FS-65). */
export async function diffToNow(blobs: Pick<BlobStore, "get">, changes: readonly ChangeRecord[]): Promise<string> {
  const parts: string[] = [];
  for (const change of changes) parts.push(await diffOf(blobs, change));
  return parts.join("");
}

async function diffOf(blobs: Pick<BlobStore, "get">, { abs, display, before }: ChangeRecord): Promise<string> {
  const kept = before.hash === undefined ? undefined : await blobs.get(before.hash);
  if (before.exists && kept === undefined) {
    return before.too_large === true
      ? `# ${display}: too large to diff\n`
      : `# ${display}: what it was before is not kept any more\n`;
  }
  if (before.link === true) return `# ${display}: was a link to ${kept?.toString("utf8")}\n`;
  const now = await stateOf(abs);
  if (now === "other") return `# ${display}: is not a readable file now\n`;
  return unifiedDiff(textOf(kept, display), textOf(now, display), display);
}

function textOf(bytes: Buffer | undefined, display: string): string | undefined {
  if (bytes === undefined) return undefined;
  const decoded = decodeText(bytes, display);
  return decoded.ok ? decoded.text : bytes.toString("utf8");
}
