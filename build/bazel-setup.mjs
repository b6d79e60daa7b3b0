// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Under Bazel, `node` and process.execPath are a wrapper that wants the rules' own variables. Tests
// start programs with an environment of their own, so they get the Node.js behind the wrapper. Bazel
// also puts "." in PATH, with which no command is known to be the system's own.
import path from "node:path";

const node = process.env.JS_BINARY__NODE_BINARY;
if (node) {
  const wrappers = new Set([path.dirname(process.execPath), path.dirname(process.env.JS_BINARY__NODE_WRAPPER ?? node)]);
  process.execPath = path.resolve(node);
  const rest = (process.env.PATH ?? "")
    .split(path.delimiter)
    .filter((dir) => path.isAbsolute(dir) && !wrappers.has(dir));
  process.env.PATH = [path.dirname(process.execPath), ...rest].join(path.delimiter);
}
