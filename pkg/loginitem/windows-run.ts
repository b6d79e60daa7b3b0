// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { LoginItem, LoginItemDeps } from "./contract.js";
import { LoginItemError } from "./login-item-error.js";
import { run, runStep } from "./run-step.js";
import { windowsRunValue } from "./windows-run-value.js";

const RUN_KEY: string = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";
const RUN_VALUE: readonly string[] = ["/v", "Blitz"];

/** The login item of Windows: a value in the registry. It only says what starts at login. */
export function createRunValue(deps: LoginItemDeps): LoginItem {
  const isInstalled = async (signal: AbortSignal | undefined): Promise<boolean> =>
    (await run(deps, ["reg", "query", RUN_KEY, ...RUN_VALUE], signal)).code === 0;
  const expectInstalled = async (signal: AbortSignal | undefined): Promise<void> => {
    if (!(await isInstalled(signal)))
      throw new LoginItemError("not-installed", `the service isn't installed: no value Blitz in ${RUN_KEY}`);
  };
  const refuse = async (signal?: AbortSignal): Promise<never> => {
    await expectInstalled(signal);
    throw new LoginItemError(
      "unsupported",
      "Windows starts the service at login only; it is stopped by its Shutdown call",
    );
  };
  return {
    install: async (program, signal) =>
      await runStep(
        deps,
        ["reg", "add", RUN_KEY, ...RUN_VALUE, "/t", "REG_SZ", "/d", windowsRunValue(program), "/f"],
        signal,
      ),
    uninstall: async (signal) => {
      await expectInstalled(signal);
      await runStep(deps, ["reg", "delete", RUN_KEY, ...RUN_VALUE, "/f"], signal);
    },
    status: async (signal) => ({ installed: await isInstalled(signal), where: `${RUN_KEY}\\Blitz` }),
    start: refuse,
    restart: refuse,
    stop: refuse,
  };
}
