// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Schema } from "@cfworker/json-schema";

const SCHEMA: Schema = { $ref: "#" };
const SCHEMAS: Schema = { type: "array", items: SCHEMA };
const NAMED_SCHEMAS: Schema = { type: "object", additionalProperties: SCHEMA };
const COUNT: Schema = { type: "integer", minimum: 0 };
const TYPE: Schema = { enum: ["array", "boolean", "integer", "null", "number", "object", "string"] };

/**
 * What a schema may look like, as a schema: the keywords that are checked in any draft. The library takes
 * whatever it is given, and a misspelt type would only show as answers that never fit.
 */
export const SCHEMA_RULES: Schema = {
  type: ["object", "boolean"],
  properties: {
    type: { anyOf: [TYPE, { type: "array", items: TYPE, minItems: 1 }] },
    enum: { type: "array" },
    required: { anyOf: [{ type: "boolean" }, { type: "array", items: { type: "string" } }] },
    $ref: { type: "string" },
    $id: { type: "string" },
    pattern: { type: "string", format: "regex" },
    minimum: { type: "number" },
    maximum: { type: "number" },
    multipleOf: { type: "number", exclusiveMinimum: 0 },
    minLength: COUNT,
    maxLength: COUNT,
    minItems: COUNT,
    maxItems: COUNT,
    minProperties: COUNT,
    maxProperties: COUNT,
    properties: NAMED_SCHEMAS,
    patternProperties: { type: "object", propertyNames: { format: "regex" }, additionalProperties: SCHEMA },
    $defs: NAMED_SCHEMAS,
    definitions: NAMED_SCHEMAS,
    dependentSchemas: NAMED_SCHEMAS,
    items: { anyOf: [SCHEMA, SCHEMAS] },
    prefixItems: SCHEMAS,
    allOf: SCHEMAS,
    anyOf: SCHEMAS,
    oneOf: SCHEMAS,
    not: SCHEMA,
    if: SCHEMA,
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema; nothing awaits this object
    then: SCHEMA,
    else: SCHEMA,
    contains: SCHEMA,
    propertyNames: SCHEMA,
    additionalProperties: SCHEMA,
  },
};
