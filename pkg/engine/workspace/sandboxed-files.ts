// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { apiError } from "@blitz/api";
import type { Config } from "@blitz/config";
import { type Files, type FilesOptions, openFiles } from "../files/index.js";
import type { Reach } from "./places.js";

/**
 * The files of a workspace. `beforeWrite` keeps what changes replace; absent where nothing is written.
 *
 * @throws ApiError `CONFIG_INVALID`: a root or a blocked path that can't be used is a fault of the settings (FS-01, 11)
 */
export async function openSandboxedFiles(
  about: { readonly config: Config; readonly workspace: string; readonly home: string },
  { writable, readOnly, blocked }: Reach,
  beforeWrite?: FilesOptions["beforeWrite"],
): Promise<Files> {
  const { config, workspace, home } = about;
  const options = {
    roots: { workspace, writable, readOnly },
    blocked,
    home,
    maxFileBytes: config.tools.max_file_size_bytes,
  };
  try {
    return await openFiles(beforeWrite === undefined ? options : { ...options, beforeWrite });
  } catch (error) {
    const problems = error instanceof Error ? error.message : String(error);
    throw apiError("CONFIG_INVALID", problems, { problems }, error);
  }
}
