// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// The least a Node program does to answer HTTP on a local socket: what the service's memory and calls
// are measured beside.

import { createServer } from "node:http";

const [socket] = process.argv.slice(2);
createServer((request, response) => {
  request.resume();
  request.on("end", () => response.end("{}"));
}).listen(socket, () => process.stderr.write("listening on it\n"));
