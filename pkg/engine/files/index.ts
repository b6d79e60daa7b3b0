// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Reading, walking and atomic writing inside the roots (06). */
export { controlReason } from "./control-file.js";
export type { EntryReader } from "./entry-reader.js";
export { compileGlobName, compileGlobPath, type GlobOptions } from "./glob-match.js";
export type { FileProblem } from "./file-problem.js";
export {
  type BeforeWrite,
  type ChangeOwner,
  type FileChange,
  type FileStat,
  type Files,
  type FilesOptions,
  type KeptBefore,
  type LinkPlace,
  openFiles,
  type WritablePlace,
} from "./open-files.js";
export { createPauses, type Pauses, sortWithPauses } from "./pauses.js";
export type { FileContent } from "./read-place.js";
export { isThere, type PlainFile, readPlainFile } from "./read-plain-file.js";
export { type DecodedText, decodeText, encodeText, PLAIN_UTF8, type TextFormat } from "./text-format.js";
export type { WalkEntry } from "./walk-folder.js";
export { linkAtomically, writeAtomically } from "./write-atomically.js";
