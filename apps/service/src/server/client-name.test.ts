// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { describe, expect, it } from "vitest";
import { clientName } from "./index.js";

describe("clientName", () => {
  it.each(["cli;pts/3", "desktop;main window", "acp;editor", "script;x", `cli;${"x".repeat(80)}`])(
    "is what the client says: %s (PRT-08)",
    (name) => {
      expect(clientName(new Headers({ "x-blitz-client": name }))).toBe(name);
    },
  );

  it("takes labels in any script, which headers carry as bytes (PRT-08)", () => {
    const bytes = Buffer.from("cli;Büro 事務所", "utf8").toString("latin1");
    expect(clientName(new Headers({ "x-blitz-client": bytes }))).toBe("cli;Büro 事務所");
  });

  it.each([
    ["without the header", {}],
    ["of an unknown kind", { "x-blitz-client": "root;pts/3" }],
    ["without a label", { "x-blitz-client": "cli;" }],
    ["without a kind", { "x-blitz-client": "pts/3" }],
    ["with a label too long", { "x-blitz-client": `cli;${"x".repeat(81)}` }],
    ["with control characters", { "x-blitz-client": "cli;a\u001b[2Jb" }],
    ["with direction marks", { "x-blitz-client": Buffer.from("cli;a\u202eb", "utf8").toString("latin1") }],
  ])("is unknown %s (PRT-08)", (_name, headers) => {
    expect(clientName(new Headers(headers))).toBe("unknown");
  });
});
