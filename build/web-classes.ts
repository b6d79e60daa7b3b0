// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

// Stand in for the web's `Headers`, `Response`, `Request` and `FormData` inside the bundle. Touching
// the global ones loads the whole of Node's built-in HTTP client, 50 ms and several megabytes, which
// the bundle never uses: its requests go through `node:http` (ADR 0007). They do what the model SDKs
// and `shared-fetch.ts` ask of them, and no more.

type HeadersLike =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | undefined>>
  | Headers
  | undefined
  | null;

/** Names and values, names in lower case, several values of a name joined by a comma. */
export class Headers {
  readonly #values: Map<string, string> = new Map();

  constructor(given?: HeadersLike) {
    if (given === undefined || given === null) return;
    const pairs = Symbol.iterator in given ? (given as Iterable<readonly [string, string]>) : Object.entries(given);
    for (const [name, value] of pairs) if (value !== undefined) this.append(name, value);
  }

  /** Adds a value to those a name has. */
  append(name: string, value: string): void {
    const key = checkedName(name);
    const old = this.#values.get(key);
    this.#values.set(key, old === undefined ? checkedValue(value) : `${old}, ${checkedValue(value)}`);
  }

  /** Gives a name one value. */
  set(name: string, value: string): void {
    this.#values.set(checkedName(name), checkedValue(value));
  }

  /** The values of a name, joined; `null` when it has none. */
  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  /** Whether a name has a value. */
  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  /** Forgets a name. */
  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  /** Calls back with each value and its name. */
  forEach(callback: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this) callback(value, name, this);
  }

  /** Names and values, sorted by name. */
  *entries(): IterableIterator<[string, string]> {
    yield* [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** The names, sorted. */
  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name;
  }

  /** The values, sorted by name. */
  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

function checkedName(name: string): string {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new TypeError(`not a header name: ${JSON.stringify(name)}`);
  return name.toLowerCase();
}

function checkedValue(value: unknown): string {
  const text = String(value).trim();
  if (/[\0\r\n]/.test(text)) throw new TypeError("a header value can't hold a line break");
  return text;
}

type Body = string | Uint8Array | AsyncIterable<Uint8Array> | null | undefined;

/** An answer whose body is read once. */
export class Response {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: Body;
  readonly url: string = "";
  readonly type: string = "default";
  readonly redirected: boolean = false;
  bodyUsed: boolean = false;

  constructor(
    body?: Body,
    init: { readonly status?: number; readonly statusText?: string; readonly headers?: HeadersLike } = {},
  ) {
    this.body = body ?? null;
    this.status = init.status ?? 200;
    this.statusText = init.statusText ?? "";
    this.headers = new Headers(init.headers);
  }

  /** Whether the status is one of success. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** The body's bytes. */
  async bytes(): Promise<Uint8Array> {
    if (this.bodyUsed) throw new TypeError("the body was read already");
    this.bodyUsed = true;
    if (this.body === null || this.body === undefined) return new Uint8Array();
    if (typeof this.body === "string") return Buffer.from(this.body, "utf8");
    if (this.body instanceof Uint8Array) return this.body;
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.body) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** The body as UTF-8 text, without a byte-order mark. */
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  /** The body as JSON. */
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  /** The body's bytes in a buffer of their own. */
  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await this.bytes()).buffer;
  }
}

/** Nothing in the bundle makes one; SDKs only ask whether something is one. */
export class Request {
  readonly url: string;

  constructor(input: string | URL) {
    this.url = String(input);
  }
}

/** Nothing in the bundle makes one; SDKs only ask whether something is one. */
export class FormData {}
