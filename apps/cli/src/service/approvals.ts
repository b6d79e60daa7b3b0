// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Messages } from "@blitz/i18n";
import { type Parsed, usage } from "../command-line.js";
import { EXIT } from "../exit-code.js";
import type { Program } from "../program.js";
import { withService } from "./running-service.js";
import { detailOf, kindOf } from "./request-words.js";
import { briefDuration, homeRelative, renderTable, shortened } from "./table.js";
import { type WaitingRequest, waitingRequests } from "./waiting-requests.js";

/** How much of what is asked the list shows, in characters. */
const DETAIL_LENGTH: number = 80;

/** `blitz approvals [list]|watch|answer`: what waits for a person, from a second terminal (BEY-42). */
export async function runApprovals(line: Parsed, program: Program): Promise<number> {
  const [word = "list", ...words] = line.words;
  if (word === "answer") {
    if (line.has("all")) throw usage(line.command, "a request's ID is enough: --all doesn't go with answer");
    return await (await import("./approvals-answer.js")).answerApproval(line, program, words);
  }
  if (word !== "list" && word !== "watch")
    throw usage(line.command, `approvals takes list, watch or answer, not ${word}`);
  if (words.length > 0) throw usage(line.command, `approvals ${word} takes no ${words.join(" ")}`);
  if (word === "watch") return await (await import("./approvals-watch.js")).watchApprovals(line, program);
  return await listApprovals(program, line.has("all"));
}

async function listApprovals(program: Program, all: boolean): Promise<number> {
  return await withService(program, async (running) => {
    const waiting = await waitingRequests(running, all ? undefined : program.dir);
    const context = { messages: running.messages, home: program.home, now: new Date(), all };
    if (waiting.length > 0) program.stdout.write(requestTable(waiting, context));
    else program.stderr.write(`${running.messages.t(all ? "approvals.none_at_all" : "approvals.none")}\n`);
    return EXIT.ok;
  });
}

/** What the table of requests is made with. */
export interface RequestTableContext {
  readonly messages: Messages;
  readonly home: string;
  readonly now: Date;
  /** Of every workspace: then it says of which. */
  readonly all: boolean;
}

/** The requests as a table: IDs whole, since one answers by them. */
export function requestTable(waiting: readonly WaitingRequest[], context: RequestTableContext): string {
  const { messages, home, now, all } = context;
  const names = ["id", "session", "kind", "age", "expires", ...(all ? ["workspace"] : []), "detail"];
  const rows = waiting.map(({ request, workspace }) => [
    request.id,
    request.sessionId,
    kindOf(request),
    briefDuration(now.getTime() - request.created.getTime()),
    request.expires === undefined
      ? messages.t("approvals.never")
      : messages.t("approvals.in", { duration: briefDuration(request.expires.getTime() - now.getTime()) }),
    ...(all ? [homeRelative(workspace, home)] : []),
    shortened(detailOf(request), DETAIL_LENGTH),
  ]);
  return renderTable(
    names.map((name) => messages.t(`approvals.column.${name}`)),
    rows,
  );
}
