// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { rm } from "node:fs/promises";
import path from "node:path";
import type { LoginItem, LoginItemDeps } from "./contract.js";
import { expectFile, hasFile, onDisk, saveFile } from "./item-file.js";
import { run, runStep } from "./run-step.js";
import { SYSTEMD_UNIT, systemdUnit } from "./systemd-unit.js";

/** The login item of Linux: a unit of the user's systemd. */
export function createSystemdItem(deps: LoginItemDeps): LoginItem {
  const file = path.join(deps.home, ".config", "systemd", "user", SYSTEMD_UNIT);
  const systemctl = (words: readonly string[], signal: AbortSignal | undefined): Promise<void> =>
    runStep(deps, ["systemctl", "--user", ...words], signal);
  const withItem =
    (word: string): ((signal?: AbortSignal) => Promise<void>) =>
    async (signal) => {
      await expectFile(file);
      await systemctl([word, SYSTEMD_UNIT], signal);
    };
  return {
    install: async (program, signal) => {
      const text = systemdUnit(program);
      // Asked before anything is written, so that a system without systemd is left as it was.
      const active = await run(deps, ["systemctl", "--user", "is-active", "--quiet", SYSTEMD_UNIT], signal);
      await saveFile(file, text);
      await systemctl(["daemon-reload"], signal);
      await systemctl(["enable", "--now", SYSTEMD_UNIT], signal);
      if (active.code === 0) await systemctl(["restart", SYSTEMD_UNIT], signal); // it runs the program of before
    },
    uninstall: async (signal) => {
      await expectFile(file);
      await systemctl(["disable", "--now", SYSTEMD_UNIT], signal);
      await onDisk(`can't remove ${file}`, () => rm(file, { force: true }));
      await systemctl(["daemon-reload"], signal);
    },
    status: async () => ({ installed: await hasFile(file), where: file }),
    start: withItem("start"),
    restart: withItem("restart"),
    stop: withItem("stop"),
  };
}
