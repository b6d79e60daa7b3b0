// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import {
  type Answer,
  type AnswerPart,
  type Piece,
  type ReceivedRequest,
  type ScriptEntry,
  type Wire,
} from "./answer.js";
import { frame, render } from "./render.js";
import { isObj } from "./rule-parts.js";
import { check, parseStrict } from "./rules.js";

/** How the fake behaves beyond its script. */
export interface FakeProviderOptions {
  /** Names the lists give; `fake-model` otherwise. */
  readonly models?: readonly string[];
  /** Wires it doesn't know: their paths are 404. */
  readonly without?: readonly Wire[];
}

/** A running fake. Requests are answered in the script's order, whatever their wire. */
export interface FakeProvider extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** Model requests in the order they came, refused ones included. Lists aren't among them. */
  readonly requests: readonly ReceivedRequest[];
  /** Every rule broken so far, in words. Tests assert that it is empty. */
  readonly violations: readonly string[];
  /** Adds answers for the requests to come; with none left it answers `Done.`. */
  script(...answers: readonly ScriptEntry[]): void;
  /**
   * Makes the rules believe that it sent this answer, for histories a test starts with.
   */
  remember(parts: readonly AnswerPart[]): void;
  /** Ends open connections and stops listening. Idempotent. */
  close(): Promise<void>;
}

interface State {
  readonly options: FakeProviderOptions;
  readonly requests: ReceivedRequest[];
  readonly violations: string[];
  readonly script: ScriptEntry[];
  readonly memory: (readonly AnswerPart[])[];
  readonly connections: Socket[];
}

/** Starts a fake on a free port of 127.0.0.1. */
export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const state: State = { options, requests: [], violations: [], script: [], memory: [], connections: [] };
  const server = createServer((incoming, response) => {
    answerOne(state, incoming, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket) => state.connections.push(socket));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${port}`,
    requests: state.requests,
    violations: state.violations,
    script: (...answers) => void state.script.push(...answers),
    remember: (parts) => void state.memory.push(parts),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function answerOne(state: State, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = performance.now();
  const date = new Date();
  const url = new URL(incoming.url ?? "/", "http://fake");
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const list = listOf(incoming.method, url.pathname, state.options.models ?? ["fake-model"]);
  if (list !== undefined) return sendJson(response, 200, list);
  const route = routeOf(url.pathname);
  const problems: string[] = [];
  const body = bytes.length === 0 ? undefined : parseStrict(bytes, problems);
  const model = route?.model ?? (isObj(body) ? String(body["model"]) : "");
  const known = route !== undefined && state.options.without?.includes(route.wire) !== true;
  if (known && problems.length === 0) problems.push(...check(route.wire, body, model, state.memory));
  const request: ReceivedRequest = {
    method: incoming.method ?? "",
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body,
    text: bytes.toString("utf8"),
    bytes: bytes.length,
    at,
    date,
    wire: route?.wire,
    connection: state.connections.indexOf(incoming.socket) + 1,
    violations: problems,
    closed: new Promise((resolve) => {
      response.once("close", () => resolve(response.writableFinished ? "finished" : "aborted"));
    }),
  };
  state.requests.push(request);
  if (!known)
    return sendJson(response, 404, { error: { message: `no ${url.pathname} here`, type: "not_found_error" } });
  if (problems.length > 0) {
    state.violations.push(...problems.map((problem) => `${route.wire}: ${problem}`));
    return sendJson(response, 400, errorOf(route.wire, problems.join("; ")));
  }
  const entry = state.script.shift() ?? { text: "Done." };
  const answer = typeof entry === "function" ? entry(request) : entry;
  const id = `f${state.requests.length}`;
  await play(state, answer, { wire: route.wire, model, id, stream: streams(route, body) }, response);
}

interface Asked {
  readonly wire: Wire;
  readonly model: string;
  readonly id: string;
  readonly stream: boolean;
}

async function play(state: State, answer: Answer, asked: Asked, response: ServerResponse): Promise<void> {
  await answer.hold;
  const { wire, stream } = asked;
  const rendered = render(wire, answer, asked.model, asked.id);
  if (answer.body === undefined && answer.pieces === undefined)
    state.memory.push(stream ? (rendered.streamed ?? rendered.sent) : rendered.sent);
  const isEvents = stream && answer.body === undefined;
  response.writeHead(answer.status ?? 200, {
    "content-type": isEvents ? "text/event-stream" : "application/json",
    ...answer.headers,
  });
  response.flushHeaders();
  await answer.holdBody;
  const closed = new Promise<void>((resolve) => void response.once("close", resolve));
  for (const piece of piecesOf(
    answer,
    isEvents ? frame(answer.edit?.(rendered.frames) ?? rendered.frames) : rendered.json,
  )) {
    if (piece instanceof Promise) await piece;
    else if (!(await write(response, piece, closed))) return;
  }
  if (answer.end === "reset") response.socket?.resetAndDestroy();
  else if (answer.end === "cut") response.destroy();
  else response.end();
}

function piecesOf(answer: Answer, rendered: string | object): readonly Piece[] {
  if (answer.pieces !== undefined) return answer.pieces;
  const whole = answer.body ?? rendered;
  const text = typeof whole === "string" ? whole : JSON.stringify(whole);
  return answer.split?.(Buffer.from(text)) ?? [text];
}

/** Writes and waits until the bytes left, so that each piece is a read of its own at the other end. */
async function write(response: ServerResponse, piece: string | Uint8Array, closed: Promise<void>): Promise<boolean> {
  if (response.destroyed || piece.length === 0) return !response.destroyed;
  await Promise.race([new Promise<void>((resolve) => void response.write(piece, () => resolve())), closed]);
  await new Promise((resolve) => setImmediate(resolve));
  return !response.destroyed;
}

function routeOf(
  path: string,
): { readonly wire: Wire; readonly model?: string; readonly stream?: boolean } | undefined {
  if (path.endsWith("/v1/messages")) return { wire: "anthropic" };
  if (path.endsWith("/responses")) return { wire: "responses" };
  if (path.endsWith("/chat/completions")) return { wire: "chat" };
  const gemini = /\/models\/([^:]+):(streamGenerateContent|generateContent)$/.exec(path);
  if (gemini?.[1] === undefined) return undefined;
  return { wire: "gemini", model: decodeURIComponent(gemini[1]), stream: gemini[2] === "streamGenerateContent" };
}

function streams(route: { readonly stream?: boolean }, body: unknown): boolean {
  return route.stream ?? (isObj(body) && body["stream"] === true);
}

function listOf(method: string | undefined, path: string, models: readonly string[]): object | undefined {
  if (method !== "GET") return undefined;
  if (path === "/api/tags") return { models: models.map((name) => ({ name, model: name })) };
  if (path === "/v1beta/models")
    return {
      models: models.map((name) => ({ name: `models/${name}`, supportedGenerationMethods: ["generateContent"] })),
    };
  if (path === "/v1/models")
    return { object: "list", data: models.map((id) => ({ id, object: "model", type: "model" })) };
  return undefined;
}

function errorOf(wire: Wire, message: string): object {
  if (wire === "anthropic") return { type: "error", error: { type: "invalid_request_error", message } };
  if (wire === "gemini") return { error: { code: 400, message, status: "INVALID_ARGUMENT" } };
  return { error: { type: "invalid_request_error", code: null, param: null, message } };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
