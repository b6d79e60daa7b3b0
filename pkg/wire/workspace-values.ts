// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { AgentInfo, Checkpoint, PermissionRule } from "@blitz/api";
import type {
  AgentInfoSchema,
  CheckpointSchema,
  PermissionRuleSchema,
  AgentInfo as WireAgent,
  Checkpoint as WireCheckpoint,
  PermissionRule as WireRule,
} from "@blitz/proto/workspace";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { textsToWire, textToWire } from "./text.js";
import { dateToWire, requiredDate } from "./time.js";

/** An agent, on the wire. */
export function agentInfoToWire(agent: AgentInfo): MessageInitShape<typeof AgentInfoSchema> {
  return {
    name: textToWire(agent.name),
    displayName: textToWire(agent.displayName),
    description: textToWire(agent.description),
    active: agent.active,
    pinnedModel: textToWire(agent.pinnedModel),
  };
}

/** An agent, off the wire. */
export function agentInfoFromWire({ name, displayName, description, active, pinnedModel }: WireAgent): AgentInfo {
  return { name, displayName, description, active, pinnedModel };
}

/** A permission rule, on the wire. */
export function permissionRuleToWire(rule: PermissionRule): MessageInitShape<typeof PermissionRuleSchema> {
  return { effect: rule.effect, rule: textToWire(rule.rule), source: rule.source };
}

/** A permission rule, off the wire; an effect or source of a newer peer keeps its name. */
export function permissionRuleFromWire({ effect, rule, source }: WireRule): PermissionRule {
  return { effect: effect as PermissionRule["effect"], rule, source: source as PermissionRule["source"] };
}

/** What a prompt changed, on the wire. */
export function checkpointToWire({ id, label, time, files }: Checkpoint): MessageInitShape<typeof CheckpointSchema> {
  return { id: textToWire(id), label: textToWire(label), time: dateToWire(time), files: textsToWire(files) };
}

/** What a prompt changed, off the wire. */
export function checkpointFromWire({ id, label, time, files }: WireCheckpoint): Checkpoint {
  return { id, label, time: requiredDate(time), files: [...files] };
}
