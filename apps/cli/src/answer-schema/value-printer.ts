// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { jsonLine } from "../output/json-printer.js";
import type { Output } from "../output/output.js";
import type { Printer } from "../output/printer.js";

/** Text output of a run with a schema: standard output has the JSON that fits and nothing else (CLI-27). */
export function createValuePrinter(stdout: Output, rest: Printer): Printer {
  return {
    accepted: rest.accepted,
    event: (event) => {
      if (event.type !== "text") rest.event(event);
    },
    end: async (end) => {
      if (end.structured !== undefined) stdout.write(jsonLine(end.structured));
      await rest.end(end);
    },
  };
}
