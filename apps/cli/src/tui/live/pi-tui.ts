// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The parts of pi-tui in use, each from its own file: its door would load the whole of it, and start-up
// loads nothing it doesn't use. What only answers need is in markdown.ts.
export type { AutocompleteProvider } from "@earendil-works/pi-tui/dist/autocomplete.js";
export { Editor, type EditorTheme } from "@earendil-works/pi-tui/dist/components/editor.js";
export type { MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js";
export type { SelectListTheme } from "@earendil-works/pi-tui/dist/components/select-list.js";
export { decodeKittyPrintable, type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
export { ProcessTerminal } from "@earendil-works/pi-tui/dist/terminal.js";
export type { Component, TUI } from "@earendil-works/pi-tui/dist/tui.js";
export { TuiMainScreen, type TuiMainScreenRenderState } from "@earendil-works/pi-tui/dist/tui-main-screen.js";
export { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";
