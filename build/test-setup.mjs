// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Runs before every test file: tests see no developer keys, a home of their own, and a network that
// ends at the loopback interface (28 MR-15).
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach } from "vitest";

const KEEP =
  /^(PATH|LANG|LC_.*|TZ|TERM|TMPDIR|CI|NODE_OPTIONS|VITEST.*|TEST.*|RUNFILES.*|BAZEL.*|JS_BINARY.*|PWD|USER|LOGNAME|SHELL|NODE_ENV|FORCE_COLOR|NO_COLOR|DEV|PROD|MODE|SSR|BASE_URL|BLITZ_TEST_.*)$/;
for (const name of Object.keys(process.env)) if (!KEEP.test(name)) delete process.env[name];

const home = mkdtempSync(path.join(tmpdir(), "blitz-test-home-"));
process.env.HOME = home;
process.env.USERPROFILE = home;
process.env.NO_PROXY = "*";
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Connections the test tried to open beyond this machine. */
const dialledOut = [];
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\..*|localhost)$/i;
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function guardedConnect(...args) {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0];
  const host =
    typeof first === "object" && first !== null
      ? first.path
        ? "localhost"
        : (first.host ?? "localhost")
      : "localhost";
  if (!LOOPBACK.test(host)) {
    dialledOut.push(host);
    throw new Error(`a test tried to connect to ${host}; only loopback is allowed`);
  }
  return connect.apply(this, args);
};
afterEach(() => {
  const hosts = dialledOut.splice(0);
  if (hosts.length > 0 && !process.env.BLITZ_TEST_DIAL_OUT_EXPECTED)
    throw new Error(`test dialled out to ${hosts.join(", ")}`);
});
