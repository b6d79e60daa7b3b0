// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import { unifiedDiff } from "../../diff/index.js";
import { decodeText, type LinkPlace } from "../../files/index.js";
import type { CallContext, Tool } from "../call/index.js";
import { errorOf, type FileToolsDeps, rememberedAs, withReason } from "./edit.js";

/** `delete_file`: asks with the removal as a diff (FS-96). Of a link, the link goes and what it leads to stays. */
export function deleteFileTool(deps: FileToolsDeps): Tool {
  const { files } = deps;
  return {
    name: "delete_file",
    description: "Delete a file. Of a symbolic link only the link itself is deleted.",
    planAllowed: false,
    schema: {
      type: "object",
      properties: { path: { type: "string" } },
      required: ["path"],
      additionalProperties: false,
    },
    run: async (args, context) => {
      const path = String(args["path"]);
      const link = await files.locateLink(path);
      if (link?.ok === false) return errorOf(link);
      if (link !== undefined) return await deleteLink(deps, link, context);
      const located = await files.locateWritable(path);
      if (!located.ok) return errorOf(located);
      return await files.hold([located.display], context.signal, async () => {
        const content = await files.read(path);
        if (!content.ok) return errorOf(content);
        const decoded = decodeText(content.bytes, located.display);
        const decision = await context.approve({
          tool: "delete_file",
          kind: "delete_file",
          detail: withReason(`Delete ${located.display} (${content.bytes.length} bytes)`, located.control),
          diff: () =>
            decoded.ok ? unifiedDiff(decoded.text, undefined, located.display) : `${located.display}: binary\n`,
          actions: [{ kind: "delete_file", target: located.display }],
          ...rememberedAs(deps, "delete", located.control),
        });
        if (!decision.allowed) return { error: decision.why };
        const by = { sessionId: context.sessionId, turnId: context.turnId };
        const done = await files.remove(decision.grant, { path, expect: content.bytes, by });
        return done.ok ? { path: located.display, success: true } : errorOf(done);
      });
    },
  };
}

async function deleteLink(deps: FileToolsDeps, link: LinkPlace, context: CallContext): Promise<JsonObject> {
  const { display, target, control } = link;
  return await deps.files.hold([display], context.signal, async () => {
    const decision = await context.approve({
      tool: "delete_file",
      kind: "delete_file",
      detail: withReason(`Delete the link ${display} (to ${target}, which stays)`, control),
      diff: () => `${display}: link to ${target}\n`,
      actions: [{ kind: "delete_file", target: display }],
      ...rememberedAs(deps, "delete", control),
    });
    if (!decision.allowed) return { error: decision.why };
    const by = { sessionId: context.sessionId, turnId: context.turnId };
    const done = await deps.files.removeLink(decision.grant, link, by);
    return done.ok ? { path: display, success: true } : errorOf(done);
  });
}
