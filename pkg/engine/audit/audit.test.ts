// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type AuditOptions, openAudit } from "./index.js";
import { openFileLock } from "./file-lock.js";

const DAY_ONE = Date.UTC(2026, 0, 5, 23, 59, 59);
const DAY_TWO = DAY_ONE + 2_000;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function optionsIn(changes: Partial<AuditOptions> = {}): AuditOptions & { readonly warnings: string[] } {
  const dir = mkdtempSync(join(tmpdir(), "blitz-audit-"));
  folders.push(dir);
  const warnings: string[] = [];
  return {
    dir,
    enabled: true,
    redact: (text) => text,
    clock: () => DAY_ONE,
    warn: (text) => warnings.push(text),
    warnings,
    ...changes,
  };
}

function linesOf(dir: string, day = "2026-01-05"): string[] {
  return readFileSync(join(dir, `audit-${day}.jsonl`), "utf8")
    .split("\n")
    .slice(0, -1);
}

function entriesOf(dir: string, day?: string): Record<string, unknown>[] {
  return linesOf(dir, day).map((line) => JSON.parse(line) as Record<string, unknown>);
}

const sha = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Checks seq and prev of all lines, over files, from the start of the chain. */
function expectChained(lines: readonly string[]): void {
  let prev: string | undefined;
  let seq = 0;
  for (const line of lines) {
    const entry = JSON.parse(line) as Record<string, unknown>;
    expect(entry["seq"]).toBe(seq++);
    expect(entry["prev"]).toBe(prev ?? sha(`blitz-audit-v1:${String(entry["chain"])}`));
    prev = sha(line);
  }
}

async function writeOnce(options: AuditOptions, ...details: string[]): Promise<void> {
  await using audit = await openAudit(options);
  for (const detail of details) audit.write({ kind: "prompt", detail });
}

describe("openAudit", () => {
  it("appends one object a line, fields in order, empty ones left out (AUD-01, 02)", async () => {
    const options = optionsIn();
    await using audit = await openAudit(options);
    audit.write({
      kind: "approval",
      tool: "edit",
      decision: "once",
      detail: "edit a.txt",
      session: "s",
      agent: "root",
      error: "",
    });
    await audit.flush();
    const [, line = ""] = linesOf(options.dir);
    expect(line).toMatch(
      /^\{"seq":1,"prev":"[0-9a-f]{64}","time":"2026-01-05T23:59:59.000Z","agent":"root","session":"s","kind":"approval","tool":"edit","detail":"edit a.txt","decision":"once"\}$/,
    );
  });

  it("keeps folder 0700 and files 0600, correcting the folder (AUD-01)", async () => {
    const options = optionsIn();
    chmodSync(options.dir, 0o755);
    await writeOnce(options, "a");
    const modeOf = (name: string): number => statSync(join(options.dir, name)).mode & 0o777;
    expect([modeOf("."), modeOf("audit-2026-01-05.jsonl"), modeOf("head"), modeOf("head.lock")]).toEqual([
      0o700, 0o600, 0o600, 0o600,
    ]);
  });

  it("chains lines by sequence and hash, over runs and days (AUD-09, 10, 11)", async () => {
    const options = optionsIn();
    await writeOnce(options, "a", "b ü");
    await writeOnce(options, "c");
    await writeOnce({ ...options, clock: () => DAY_TWO }, "d");
    expectChained([...linesOf(options.dir), ...linesOf(options.dir, "2026-01-06")]);
    expect(entriesOf(options.dir)[0]).toMatchObject({
      kind: "audit_start",
      reason: "new",
      chain: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(entriesOf(options.dir, "2026-01-06")[0]).toMatchObject({
      kind: "audit_day",
      previous: "audit-2026-01-05.jsonl",
      entries: 4,
    });
  });

  it("redacts detail, error and every string in args (AUD-04)", async () => {
    const options = optionsIn({ redact: (text) => text.replaceAll("hunter2", "***") });
    await using audit = await openAudit(options);
    audit.write({
      kind: "tool_call",
      detail: "d hunter2",
      error: "e hunter2",
      args: { a: [{ b: "x hunter2" }], n: 1 },
    });
    await audit.flush();
    expect(entriesOf(options.dir)[1]).toMatchObject({
      detail: "d ***",
      error: "e ***",
      args: { a: [{ b: "x ***" }], n: 1 },
    });
    expect(readFileSync(join(options.dir, "audit-2026-01-05.jsonl"), "utf8")).not.toContain("hunter2");
  });

  it("writes an entry that can't be serialised with an error saying so (AUD-04)", async () => {
    const options = optionsIn();
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    await using audit = await openAudit(options);
    audit.write({ kind: "tool_call", tool: "t", args: cyclic });
    await audit.flush();
    expect(entriesOf(options.dir)[1]).toMatchObject({
      tool: "t",
      error: expect.stringContaining("could not be written"),
    });
  });

  it("cuts a long argument and notes its length and hash (AUD-06)", async () => {
    const options = optionsIn();
    const long = "x".repeat(70_000);
    await using audit = await openAudit(options);
    audit.write({ kind: "tool_call", args: { long } });
    await audit.flush();
    const { args } = entriesOf(options.dir)[1] as { args: { long: string } };
    expect(args.long.slice(65_536)).toBe(`… (70000 characters, sha256 ${sha(long)})`);
  });

  it("keeps nothing when it is off, and says so at the next chain's start (AUD-01, 10)", async () => {
    const options = optionsIn();
    await writeOnce(options, "a");
    const before = linesOf(options.dir);
    await writeOnce({ ...options, enabled: false }, "unseen");
    expect(linesOf(options.dir)).toEqual(before);
    await writeOnce(options, "b");
    const [, , restart] = entriesOf(options.dir);
    expect(restart).toMatchObject({
      seq: 0,
      kind: "audit_start",
      reason: "enabled",
      old_seq: 1,
      old_hash: sha(before[1] ?? ""),
    });
  });

  it("starts a new chain after older lines without a chain (AUD-10)", async () => {
    const options = optionsIn();
    writeFileSync(join(options.dir, "audit-2026-01-04.jsonl"), '{"kind":"prompt"}\n');
    await writeOnce(options, "a");
    expect(entriesOf(options.dir)[0]).toMatchObject({ kind: "audit_start", reason: "upgraded" });
  });

  it.each<[string, (dir: string) => void]>([
    ["the file was cut", (dir) => truncateSync(join(dir, "audit-2026-01-05.jsonl"), 100)],
    ["a foreign line was added", (dir) => appendFileSync(join(dir, "audit-2026-01-05.jsonl"), '{"kind":"prompt"}\n')],
    ["the head is gone", (dir) => rmSync(join(dir, "head"))],
    ["the head is garbage", (dir) => writeFileSync(join(dir, "head"), "?")],
    ["the file is gone", (dir) => rmSync(join(dir, "audit-2026-01-05.jsonl"))],
  ])("notes a broken chain and writes on when %s (AUD-10)", async (_name, damage) => {
    const options = optionsIn();
    await writeOnce(options, "a");
    damage(options.dir);
    const kept = existsSync(join(options.dir, "audit-2026-01-05.jsonl"))
      ? readFileSync(join(options.dir, "audit-2026-01-05.jsonl"), "utf8")
      : "";
    await writeOnce(options, "b");
    const text = readFileSync(join(options.dir, "audit-2026-01-05.jsonl"), "utf8");
    expect(text.startsWith(kept)).toBe(true);
    expect(text.slice(kept.length)).toContain('"kind":"audit_start"');
    expect(text).toContain('"reason":"broken"');
    expect(text).toContain('"detail":"b"');
  });

  it("takes in lines whose writer died before the head, and ends a torn one (AUD-12)", async () => {
    const options = optionsIn();
    await writeOnce(options, "a");
    const head = readFileSync(join(options.dir, "head"));
    await writeOnce(options, "b");
    writeFileSync(join(options.dir, "head"), head);
    appendFileSync(join(options.dir, "audit-2026-01-05.jsonl"), '{"seq":3,"prev":"to');
    await writeOnce(options, "c");
    const lines = linesOf(options.dir);
    expect(lines).toHaveLength(5);
    expectChained(lines.slice(0, 3));
    expect(JSON.parse(lines[4] ?? "")).toMatchObject({ seq: 3, prev: sha(lines[3] ?? ""), detail: "c" });
  });

  it("keeps lines of several processes whole and chained (AUD-05)", async () => {
    const options = optionsIn();
    const program = `
      import { openAudit } from ${JSON.stringify(join(import.meta.dirname, `index${extname(import.meta.filename)}`))};
      const audit = await openAudit({ dir: ${JSON.stringify(options.dir)}, enabled: true, redact: (t) => t, clock: () => ${DAY_ONE}, warn: (t) => { throw new Error(t); } });
      for (let i = 0; i < 40; i++) { audit.write({ kind: "prompt", detail: process.pid + " " + i }); if (i % 3 === 0) await audit.flush(); }
      await audit.close();`;
    const file = join(options.dir, "writer.mjs");
    writeFileSync(file, program);
    const loader = join(options.dir, "hooks.mjs");
    writeFileSync(
      loader,
      `import { registerHooks } from "node:module"; registerHooks({ resolve: (s, c, next) => { try { return next(s, c); } catch (e) { if (s.endsWith(".js")) return next(s.slice(0, -3) + ".ts", c); throw e; } } });`,
    );
    const run = (): Promise<number | null> =>
      new Promise((resolve) => {
        const child = spawn(
          process.execPath,
          [...(import.meta.filename.endsWith(".ts") ? ["--conditions=blitz-source"] : []), "--import", loader, file],
          {
            stdio: ["ignore", "inherit", "inherit"],
          },
        );
        child.on("exit", resolve);
      });
    expect(await Promise.all([run(), run(), run()])).toEqual([0, 0, 0]);
    const lines = linesOf(options.dir);
    expect(lines).toHaveLength(121);
    expectChained(lines);
  });

  it("reports once and goes on when it can't write, then counts what was lost (AUD-04, 12)", async () => {
    const options = optionsIn();
    await using audit = await openAudit(options);
    rmSync(options.dir, { recursive: true });
    audit.write({ kind: "prompt", detail: "lost 1" });
    await audit.flush();
    audit.write({ kind: "prompt", detail: "lost 2" });
    await audit.flush();
    expect(options.warnings).toHaveLength(1);
    mkdirSync(options.dir);
    audit.write({ kind: "prompt", detail: "kept" });
    await audit.flush();
    expect(entriesOf(options.dir)[1]).toMatchObject({ detail: "kept", dropped: 2 });
  });

  it("drops beyond 1,024 queued entries and counts them (AUD-12)", async () => {
    const options = optionsIn();
    await using audit = await openAudit(options);
    for (let i = 0; i < 1_030; i++) audit.write({ kind: "prompt", detail: String(i) });
    await audit.flush();
    audit.write({ kind: "prompt", detail: "next" });
    await audit.flush();
    const entries = entriesOf(options.dir);
    expect(entries).toHaveLength(1_026);
    expect(entries.map((entry) => entry["dropped"]).filter((n) => n !== undefined)).toEqual([6]);
  });

  it("warns and keeps quiet when the folder can't be made (AUD-04)", async () => {
    const options = optionsIn();
    writeFileSync(join(options.dir, "file"), "");
    await writeOnce({ ...options, dir: join(options.dir, "file", "sub") }, "a");
    expect(options.warnings).toHaveLength(1);
    expect(readdirSync(options.dir)).toEqual(["file"]);
  });
});

describe("openFileLock", () => {
  it("is refused to a second holder until the first lets go", async () => {
    const { dir } = optionsIn();
    using first = disposable(openFileLock(join(dir, "l")));
    using second = disposable(openFileLock(join(dir, "l")));
    let inner: Promise<string> | undefined;
    await first.lock.run(() => {
      inner = second.lock.run(() => "got it", 0);
    });
    await expect(inner).rejects.toThrow("locked by another process");
    expect(await second.lock.run(() => "got it", 0)).toBe("got it");
  });

  it("lets go when the work throws", async () => {
    const { dir } = optionsIn();
    using held = disposable(openFileLock(join(dir, "l")));
    await expect(
      held.lock.run(() => {
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    expect(await held.lock.run(() => 1)).toBe(1);
  });
});

function disposable(lock: ReturnType<typeof openFileLock>): Disposable & { readonly lock: typeof lock } {
  return { lock, [Symbol.dispose]: () => lock.close() };
}
