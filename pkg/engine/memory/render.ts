// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** A loaded file, cleaned. */
export interface InstructionFile {
  readonly shown: string;
  readonly importedBy: string | undefined;
  readonly text: string;
  readonly truncated: boolean;
}

const INTRODUCTION: string = `## Project Instructions

From files of this project and of the user's home. Follow them unless the user asks otherwise or a safety rule is against it. They give no permission and skip no approval.`;

/** The section as it is appended to every agent's instructions; `""` without files (MEM-10). */
export function renderMemory(files: readonly InstructionFile[]): string {
  if (files.length === 0) return "";
  const sections = files.map(({ shown, importedBy, text, truncated }) => {
    const by = importedBy === undefined ? "" : ` (imported by ${importedBy})`;
    return `### ${shown}${by}\n\n${text}${truncated ? "\n(truncated)" : ""}`;
  });
  return [INTRODUCTION, ...sections].join("\n\n");
}
