// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { Models } from "@blitz/api";
import { errorInfoFromWire, textToWire } from "@blitz/wire";
import { answered } from "./reconnect.js";
import type { RemoteDeps } from "./remote.js";

/** Models in the service. */
export function createRemoteModels({ workspaces, workspace }: Pick<RemoteDeps, "workspaces" | "workspace">): Models {
  return {
    modelError: async () => {
      const { unavailable } = await answered(workspaces.getModel({ workspace }));
      return unavailable === undefined ? undefined : errorInfoFromWire(unavailable);
    },
    model: async () => {
      const { name, provider } = await answered(workspaces.getModel({ workspace }));
      return { name, provider };
    },
    setModel: async (ref) => {
      const { activePin } = await answered(workspaces.setModel({ workspace, ref: textToWire(ref) }));
      return { activePin };
    },
  };
}
