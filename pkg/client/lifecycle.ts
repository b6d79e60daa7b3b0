// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Lifecycle, Ui } from "@blitz/api";
import { orWarn } from "./or-warn.js";
import { answered } from "./reconnect.js";
import type { RemoteDeps } from "./remote.js";

/** What the opening facts and the closing need. */
export interface LifecycleDeps extends Pick<RemoteDeps, "workspaces" | "workspace" | "warn"> {
  readonly dir: string;
  readonly setUi: (ui: Ui | undefined) => void;
  /** Ends the streams of this client. */
  readonly close: () => void;
}

/** A workspace in the service as this client holds it: closing lets go of it, and leaves it open there (CL-03). */
export function createRemoteLifecycle({ dir, setUi, close, workspaces, workspace, warn }: LifecycleDeps): Lifecycle {
  return {
    dir,
    setUi,
    sandboxSummary: async () =>
      await orWarn(warn, "the sandbox can't be asked about", async () => {
        const { summary } = await answered(workspaces.getSandbox({ workspace }));
        return summary;
      }),
    close: async () => close(),
  };
}
