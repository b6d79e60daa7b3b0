// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { JsonObject } from "@blitz/api";
import { afterEach, beforeEach } from "vitest";
import { type Files, openFiles } from "../../../files/index.js";
import { mintGrant } from "../../../grant/mint/index.js";
import type { AskedAction, CallContext, Tool } from "../../call/index.js";
import { fileTools } from "../index.js";

/** The file tools over a workspace on disk; all of it is new for each test. */
export interface FileBench {
  ws: string;
  files: Files;
  tools: ReadonlyMap<string, Tool>;
  /** What the gate was asked. */
  asked: AskedAction[];
  /** What the gate says; yes unless a test changes it. */
  answer: (request: AskedAction) => boolean | Promise<boolean>;
  readonly put: (name: string, content: string | Buffer) => void;
  readonly get: (name: string) => string;
  /** Calls a tool as the loop does. */
  readonly run: (name: string, args: JsonObject) => Promise<JsonObject>;
}

/** Sets a bench up before each test of the file that calls it, and takes it down after. */
export function useFileBench(): FileBench {
  const bench = {
    put: (name: string, content: string | Buffer): void => {
      mkdirSync(path.dirname(path.join(bench.ws, name)), { recursive: true });
      writeFileSync(path.join(bench.ws, name), content);
    },
    get: (name: string): string => readFileSync(path.join(bench.ws, name), "utf8"),
    run: async (name: string, args: JsonObject): Promise<JsonObject> => {
      const tool = bench.tools.get(name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      return await tool.run(args, contextOf(bench));
    },
  } as FileBench; // the rest is there when a test runs
  beforeEach(async () => {
    bench.ws = realpathSync(mkdtempSync(path.join(tmpdir(), "blitz-tools-")));
    bench.files = await openFiles({
      roots: { workspace: bench.ws, writable: [], readOnly: [] },
      blocked: [".env"],
      home: "/nowhere",
      maxFileBytes: 10_000_000,
    });
    bench.tools = new Map(fileTools({ files: bench.files, workspace: bench.ws }).map((tool) => [tool.name, tool]));
    bench.asked = [];
    bench.answer = () => true;
  });
  afterEach(() => rmSync(bench.ws, { recursive: true, force: true }));
  return bench;
}

function contextOf(bench: FileBench): CallContext {
  return {
    sessionId: "s",
    turnId: "e-1",
    callId: "c",
    agent: "blitz",
    signal: new AbortController().signal,
    emit: () => undefined,
    approve: async (request) => {
      bench.asked.push(request);
      return (await bench.answer(request))
        ? { allowed: true, grant: mintGrant(request.actions) }
        : { allowed: false, why: "the user declined" };
    },
  };
}
