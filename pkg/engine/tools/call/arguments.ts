// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import { type OutputUnit, Validator } from "@cfworker/json-schema";

/** Checks arguments against a tool's schema. Made once per tool: compiling isn't free. */
export interface ArgumentCheck {
  /** What is wrong, in words for the model; `undefined` when nothing is. */
  problem(args: JsonObject): string | undefined;
}

/** A check for one schema; no code is generated, so it works anywhere. */
export function createArgumentCheck(schema: JsonObject): ArgumentCheck {
  const validator = new Validator(schema, "2020-12", false);
  const properties = schema["properties"];
  const known = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return {
    problem: (args) => {
      const { valid, errors } = validator.validate(args);
      if (valid) return undefined;
      const details = errors.filter(isLeaf).map(describe);
      const fields = known.length > 0 ? `; its fields: ${known.join(", ")}` : "; it takes no fields";
      return `${[...new Set(details)].slice(0, 4).join("; ")}${fields}`;
    },
  };
}

/** Errors of containers only repeat those of what they hold. */
function isLeaf(error: OutputUnit): boolean {
  return !["properties", "items", "additionalProperties", "allOf", "$ref"].includes(error.keyword);
}

function describe(error: OutputUnit): string {
  const where = error.instanceLocation.replace(/^#\/?/, "").replaceAll("/", ".");
  if (error.keyword === "false") return `"${where}" is not a field`;
  return where === "" ? error.error : `${where}: ${error.error}`;
}
