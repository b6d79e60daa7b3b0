// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawn } from "node:child_process";
import { printable } from "../output/output.js";

/** How a person is called (`ui.notify`). */
export type Calling = "both" | "bell" | "desktop" | "off";

/** Calls the person back to the terminal: by its bell, by a notice of the desktop's, or both (TUI-47). */
export function callPerson(how: Calling, text: string, bell: () => void): void {
  if (how === "bell" || how === "both") bell();
  if (how !== "desktop" && how !== "both") return;
  const shown = printable(text);
  const [command, ...args] =
    process.platform === "darwin"
      ? [
          "osascript",
          "-e",
          "on run argv",
          "-e",
          'display notification (item 1 of argv) with title "Blitz"',
          "-e",
          "end run",
          shown,
        ]
      : ["notify-send", "--app-name=Blitz", "Blitz", shown];
  const child = spawn(command ?? "", args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined); // no desktop here: the bell has to do
  child.unref();
}
