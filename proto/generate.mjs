// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Generates JavaScript and its types from the protos: `node proto/generate.mjs [out]`; `out` is
// proto/gen when left out. Both ways of building run this file; nothing it writes is committed (SVC-40).

import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runBuf } from "./buf.mjs";

const require = createRequire(import.meta.url);
const PROTO = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(PROTO, "gen"));

const template = {
  version: "v2",
  plugins: [
    {
      local: [process.execPath, require.resolve("@bufbuild/protoc-gen-es/bin/protoc-gen-es")],
      out,
      opt: ["target=js+dts", "import_extension=js"],
    },
  ],
};
mkdirSync(out, { recursive: true });
process.exitCode = runBuf(["generate", PROTO, "--template", JSON.stringify(template)], PROTO);
