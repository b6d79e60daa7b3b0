// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError, type Backend, isReason } from "@blitz/api";
import { attach, openService, type ServiceClient } from "@blitz/client";
import type { Messages } from "@blitz/i18n";
import { isAnswering } from "@blitz/socket";
import { clientName, endpointOf } from "../attach.js";
import { printable } from "../output/output.js";
import type { Program } from "../program.js";
import { UsageError } from "../usage-error.js";
import { openWords } from "../words.js";

/** The running service, as a command uses it. */
export interface RunningService {
  readonly service: ServiceClient;
  readonly messages: Messages;
  /** A workspace there, opened when it isn't; attached once for each directory. */
  readonly workspace: (dir: string) => Promise<Backend>;
}

/**
 * Runs a command that needs the service, and lets go of the service afterwards.
 *
 * @throws ApiError `SERVICE_UNAVAILABLE` naming how to start it when none answers; UsageError for an ID it doesn't know
 */
export async function withService(
  program: Program,
  work: (running: RunningService) => Promise<number>,
): Promise<number> {
  const endpoint = endpointOf(program);
  if (!(await isAnswering(endpoint))) throw notRunning(endpoint);
  const client = clientName();
  const attached = new Map<string, Promise<Backend>>();
  const workspace = async (dir: string): Promise<Backend> => {
    const warn = (text: string): void => program.stderr.write(`blitz: ${printable(text)}\n`);
    const opening = attached.get(dir) ?? attach({ endpoint, dir, client, warn });
    attached.set(dir, opening);
    return await opening;
  };
  await using closing = new AsyncDisposableStack();
  const service = openService({ endpoint, client }); // its idle connections hold nothing up
  closing.defer(async () => {
    const opened = await Promise.allSettled(attached.values());
    for (const one of opened) if (one.status === "fulfilled") await one.value.close();
  });
  try {
    return await work({ service, messages: await openWords(program), workspace });
  } catch (error) {
    throw isUnknownId(error) ? new UsageError(error.message) : error;
  }
}

/** What is said when nothing answers; a command that can do without the service says something of its own. */
function notRunning(endpoint: string): Error {
  const words = `the Blitz service isn't running (nothing answers at ${endpoint}); start it: blitz service start, or bin/blitzd in a checkout`;
  return apiError("SERVICE_UNAVAILABLE", words, {});
}

function isUnknownId(error: unknown): error is Error {
  return isReason(
    error,
    "UNKNOWN_RUN",
    "SESSION_NOT_FOUND",
    "UNKNOWN_REQUEST",
    "INVALID_DECISION",
    "INVALID_ANSWER",
    "INVALID_TURN",
  );
}
