// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { NO_USAGE, type Usage } from "@blitz/api";

/** What `<id>.meta.json` holds, in this process's terms (17 "Files"). */
export interface Metadata {
  readonly id: string;
  readonly title: string;
  readonly agent: string;
  readonly created: Date;
  readonly updated: Date;
  readonly messageCount: number;
  /** Canonical directory; "" = not yet adopted by a workspace (SES-02). */
  readonly workspace: string;
  /** Who began it: "" a person. */
  readonly origin: "" | "worker" | "background";
  /** Rises with every write of any session in the folder; lists sort by it, not by clocks (SES-28). */
  readonly order: number;
  readonly usage: Usage;
}

/** Fields a newer version may have written travel along unchanged. */
export type StoredMetadata = Readonly<Record<string, unknown>>;

/** The JSON of a session's metadata, over what was stored before. */
export function formatMetadata(meta: Metadata, stored: StoredMetadata): string {
  const { usage } = meta;
  return `${JSON.stringify(
    {
      ...stored,
      id: meta.id,
      title: meta.title,
      agent: meta.agent,
      created_at: meta.created.toISOString(),
      updated_at: meta.updated.toISOString(),
      message_count: meta.messageCount,
      workspace: meta.workspace,
      order: meta.order,
      ...(meta.origin === "" ? {} : { origin: meta.origin }),
      usage: {
        calls: usage.calls,
        input: usage.input,
        cached: usage.cached,
        cache_write: usage.cacheWrite,
        output: usage.output,
        last_prompt: usage.lastPrompt,
        cost_usd: usage.costUsd,
        priced: usage.priced,
      },
    },
    undefined,
    1,
  )}\n`;
}

/** Reads metadata; missing or hand-edited fields read as their defaults. `undefined` when it is no session's. */
export function parseMetadata(
  text: string,
  id: string,
): { readonly meta: Metadata; readonly stored: StoredMetadata } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const stored = value as StoredMetadata;
  if (stored["id"] !== id) return undefined;
  const meta: Metadata = {
    id,
    title: asText(stored["title"]),
    agent: asText(stored["agent"]) || "blitz",
    created: asDate(stored["created_at"]),
    updated: asDate(stored["updated_at"]),
    messageCount: asCount(stored["message_count"]),
    workspace: asText(stored["workspace"]),
    origin: asOrigin(stored["origin"]),
    order: asCount(stored["order"]),
    usage: parseUsage(stored["usage"]),
  };
  return { meta, stored };
}

function parseUsage(value: unknown): Usage {
  if (typeof value !== "object" || value === null) return NO_USAGE;
  const found = value as Readonly<Record<string, unknown>>;
  return {
    ...NO_USAGE,
    calls: asCount(found["calls"]),
    input: asCount(found["input"]),
    cached: asCount(found["cached"]),
    cacheWrite: asCount(found["cache_write"]),
    output: asCount(found["output"]),
    lastPrompt: asCount(found["last_prompt"]),
    costUsd: typeof found["cost_usd"] === "number" && found["cost_usd"] > 0 ? found["cost_usd"] : 0,
    priced: found["priced"] !== false,
  };
}

function asOrigin(value: unknown): Metadata["origin"] {
  return value === "worker" || value === "background" ? value : "";
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function asCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}

function asDate(value: unknown): Date {
  const date = new Date(typeof value === "string" ? value : 0);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}
