// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { LoginItem, LoginItemDeps } from "./contract.js";
import { expectFile, hasFile, onDisk, saveFile } from "./item-file.js";
import { LAUNCHD_LABEL, launchdPlist } from "./launchd-plist.js";
import { failedStep, run, runStep } from "./run-step.js";

/** The service has ten seconds to stop (SVC-04). */
const LOOKS: number = 30;
const PAUSE_MS: number = 500;

/** The login item of macOS: a launch agent in the user's session. */
export function createLaunchAgent(deps: LoginItemDeps): LoginItem {
  const file = path.join(deps.home, "Library", "LaunchAgents", `${LAUNCHD_LABEL}.plist`);
  const logFile = path.join(deps.home, ".blitz", "logs", "service.log");
  const domain = `gui/${deps.uid}`;
  const target = `${domain}/${LAUNCHD_LABEL}`;

  const isLoaded = async (signal: AbortSignal | undefined): Promise<boolean> =>
    (await run(deps, ["launchctl", "print", target], signal)).code === 0;
  const load = (signal: AbortSignal | undefined): Promise<void> =>
    runStep(deps, ["launchctl", "bootstrap", domain, file], signal);
  /** Waits until it is gone: launchd answers before the service has ended, and doesn't load it until then. */
  const unload = async (signal: AbortSignal | undefined): Promise<void> => {
    const bootout = ["launchctl", "bootout", target];
    const result = await run(deps, bootout, signal); // fails when it isn't loaded, which is what is wanted
    for (let look = 0; await isLoaded(signal); look++) {
      if (look === LOOKS) throw failedStep(bootout, { ...result, stderr: result.stderr || "the service still runs" });
      await deps.pause(PAUSE_MS, signal);
    }
  };
  return {
    install: async (program, signal) => {
      const text = launchdPlist(program, logFile);
      const logs = path.dirname(logFile);
      await onDisk(`can't make ${logs}`, () => mkdir(logs, { recursive: true, mode: 0o700 })); // launchd won't
      await saveFile(file, text);
      await unload(signal);
      await load(signal);
    },
    uninstall: async (signal) => {
      await expectFile(file);
      await unload(signal);
      await onDisk(`can't remove ${file}`, () => rm(file, { force: true }));
    },
    status: async () => ({ installed: await hasFile(file), where: file }),
    start: async (signal) => {
      await expectFile(file);
      if (await isLoaded(signal)) await runStep(deps, ["launchctl", "kickstart", target], signal);
      else await load(signal);
    },
    restart: async (signal) => {
      await expectFile(file);
      await unload(signal);
      await load(signal);
    },
    stop: async (signal) => {
      await expectFile(file);
      await unload(signal);
    },
  };
}
