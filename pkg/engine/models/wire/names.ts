// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A call id as providers take it; ids of other providers' calls may hold more. The same id always gives the same. */
export function wireId(id: string): string {
  return fit(id);
}

/** A tool name as providers take it: models sometimes call tools by names nobody offered. */
export function wireName(name: string): string {
  return fit(name);
}

function fit(text: string): string {
  const fitted = text.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
  return fitted === "" ? "_" : fitted;
}
