// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { readFile } from "node:fs/promises";
import path from "node:path";
import { dereference, type OutputUnit, type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { UsageError } from "../usage-error.js";
import { findJson } from "./find-json.js";
import { SCHEMA_RULES } from "./schema-rules.js";

/** What an answer's JSON must be like (CLI-27). */
export interface AnswerSchema {
  /** For the model, behind the prompt. */
  readonly instruction: string;
  /** The JSON in an answer, or what is wrong with it in a line. */
  check(answer: string): { readonly value: unknown } | { readonly problem: string };
}

/**
 * Takes `--json-schema`: the schema itself when it begins like one, else the file of it.
 *
 * @throws UsageError for a file that can't be read, text that is no JSON, JSON that is no schema
 */
export async function loadAnswerSchema(given: string, cwd: string): Promise<AnswerSchema> {
  const isInline = /^\s*[{[]/.test(given);
  const schema = parseSchema(isInline ? given : await readSchema(path.resolve(cwd, given)));
  const validator = new Validator(schema, draftOf(schema), false);
  return {
    instruction:
      "Your final answer must be one JSON value that is valid against the JSON Schema below. Write that JSON " +
      `alone: no Markdown, nothing before or after it.\n${JSON.stringify(schema)}`,
    check: (answer) => {
      const found = findJson(answer);
      if (found === undefined) return { problem: "there is no JSON in it" };
      const { valid, errors } = validator.validate(found.value);
      return valid ? found : { problem: problemOf(errors) };
    },
  };
}

async function readSchema(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  } catch (error) {
    throw invalid((error as Error).message);
  }
}

function parseSchema(text: string): Schema | boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid((error as Error).message);
  }
  const { valid, errors } = new Validator(SCHEMA_RULES, "2020-12", false).validate(value);
  if (!valid) throw invalid(problemOf(errors));
  const schema = value as Schema | boolean;
  const missing = missingReference(schema);
  if (missing !== undefined) throw invalid(`it has no ${missing}, which it refers to`);
  return schema;
}

/** The first `$ref` to something that isn't in the schema. */
function missingReference(schema: Schema | boolean): string | undefined {
  let known: ReturnType<typeof dereference>;
  try {
    known = dereference(schema);
  } catch (error) {
    throw invalid((error as Error).message);
  }
  for (const one of Object.values(known)) {
    if (typeof one === "object" && one.__absolute_ref__ !== undefined && known[one.__absolute_ref__] === undefined)
      return one.$ref;
  }
  return undefined;
}

function invalid(problem: string): UsageError {
  return new UsageError(`--json-schema is no JSON Schema: ${problem}`);
}

function draftOf(schema: Schema | boolean): SchemaDraft {
  const named = typeof schema === "object" && typeof schema.$schema === "string" ? schema.$schema : "";
  if (named.includes("draft-04")) return "4";
  if (/draft-0[67]/.test(named)) return "7";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}

/** Errors of containers only repeat those of what they hold. */
const CONTAINERS: ReadonlySet<string> = new Set(["properties", "items", "prefixItems", "allOf", "anyOf", "$ref"]);

function problemOf(errors: readonly OutputUnit[]): string {
  const leaves = errors.filter(({ keyword }) => !CONTAINERS.has(keyword));
  const words = (leaves.length > 0 ? leaves : errors).map(({ instanceLocation, error }) => {
    const place = instanceLocation.replace(/^#\/?/, "");
    return place === "" ? error : `${place}: ${error}`;
  });
  return [...new Set(words)].slice(0, 4).join(" ");
}
