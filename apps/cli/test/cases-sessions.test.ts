// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { Answer, ReceivedRequest } from "@blitz/fakeprovider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { execBlitz, startBlitz } from "./run-blitz.js";
import { call, contentOf, openScene, reportOf, type Scene, startExec, treeOf, until } from "./scene.js";

let scene: Scene;
let state: string;
beforeEach(async () => {
  scene = await openScene();
  state = path.join(scene.scratch.home, ".blitz");
});
afterEach(async () => {
  const { violations } = scene.fake;
  await scene[Symbol.asyncDispose]();
  expect(violations).toEqual([]);
});

/** `blitz sessions` in a folder: the IDs listed. */
async function listed(dir: string, ...flags: readonly string[]): Promise<readonly string[]> {
  const run = await startBlitz(scene.scratch, ["sessions", ...flags, "-c", scene.scratch.cfg, "-d", dir]).done;
  expect([run.code, run.stderr]).toEqual([0, run.stdout === "" ? "No sessions in this workspace.\n" : ""]);
  return run.stdout.split("\n").flatMap((line) => (line === "" ? [] : [line.split(" ")[0] ?? ""]));
}

const count = (text: string, part: string): number => text.split(part).length - 1;
const isJson = (line: string): boolean => {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
};

describe("T-SES-1: torn last line", () => {
  const TORN = '{"v":1,"id":"x","role":"mod';
  const VARIANTS: readonly (readonly [string, (file: string) => void])[] = [
    ["a record cut short", (file) => appendFileSync(file, TORN)],
    ["one followed by an empty line", (file) => appendFileSync(file, `${TORN}\n\n`)],
    ["one followed by an empty line with CRLF", (file) => appendFileSync(file, `${TORN}\r\n`)],
    [
      "the last line cut and written again",
      (file) => {
        const lines = readFileSync(file, "utf8").trimEnd().split("\n");
        const last = lines.pop() ?? "";
        writeFileSync(file, [...lines, last.slice(0, 60), last, ""].join("\n"));
      },
    ],
    ["the last line without its end", (file) => writeFileSync(file, readFileSync(file, "utf8").trimEnd())],
    ["bytes that are no UTF-8", (file) => appendFileSync(file, Buffer.from([0xe2, 0x82, 0x00, 0xff]))],
  ];
  it.each(
    VARIANTS.flatMap(([name, tear]) => [".jsonl", ".events.jsonl"].map((suffix) => [name, suffix, tear] as const)),
  )("%s in %s: the session lists, continues and keeps what was said (SES-10)", async (_name, suffix, tear) => {
    scene.fake.script({ text: "The first answer." }, { text: "The second answer." }, { text: "The third answer." });
    const { report } = await scene.run("prompt one");
    const file = path.join(state, "sessions", `${report.session_id}${suffix}`);
    tear(file);
    const torn = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "" && !isJson(line)).length;
    for (const [prompt, answer] of [
      ["prompt two", "The second answer."],
      ["prompt three", "The third answer."],
    ] as const) {
      expect(await listed(scene.scratch.ws)).toEqual([report.session_id]);
      const next = (await scene.run("--continue", prompt)).report;
      expect(next).toMatchObject({ session_id: report.session_id, result: answer, exit_code: 0 });
    }
    const { text } = scene.fake.requests.at(-1) ?? { text: "" };
    for (const part of ["prompt one", "The first answer.", "prompt two", "The second answer.", "prompt three"])
      expect([part, count(text, part)]).toEqual([part, 1]);
    const lines = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "");
    expect(lines.filter((line) => !isJson(line))).toHaveLength(torn);
    const whole = lines.filter(isJson).join("\n");
    for (const prompt of ["prompt one", "prompt two", "prompt three"])
      expect([prompt, count(whole, prompt)]).toEqual([prompt, 1]);
  });
});

describe("T-SES-2: several processes, one home", () => {
  const PROCESSES = 8;
  let umask: number;
  /** Modes are set, not left to the umask (SET-50): the runs inherit one that takes nothing away. */
  beforeEach(() => {
    umask = process.umask(0);
  });
  afterEach(() => {
    process.umask(umask);
  });
  const NO_END = new Promise<never>(() => undefined);

  /** A workspace's run as the model plays it: writes, reads, then the answer. Prompts name their workspace. */
  const play = (request: ReceivedRequest): Answer => {
    const calls = count(request.text, "create_file_") + count(request.text, '"tool_result"');
    const usage = { input: 100, output: 10 };
    if (calls > 0) return { text: "Done here.", usage };
    return { parts: [call("create_file", { path: "made.txt", content: "made" }), call("list_files", {})], usage };
  };

  /** What must hold of every file below ~/.blitz; `torn` sessions were killed while they wrote. */
  function expectSound(torn: ReadonlySet<string>): void {
    for (const name of treeOf(state).filter((one) => !/^cache(\/|$)/.test(one))) {
      const file = path.join(state, name);
      const stats = lstatSync(file);
      const mode = (stats.mode & 0o777).toString(8);
      expect([name, mode]).toEqual([name, stats.isDirectory() ? "700" : "600"]);
      if (stats.isDirectory() || /\.lock$|\.db$|\.db-journal$/.test(name)) continue;
      const text = readFileSync(file, "utf8");
      if (name.endsWith(".json")) expect([name, isJson(text)]).toEqual([name, true]);
      if (name.endsWith(".jsonl")) {
        const lines = text.split("\n").slice(0, -1);
        expect([name, lines.filter((line) => !isJson(line))]).toEqual([name, []]);
        const isTorn = [...torn].some((id) => name.includes(id));
        if (!isTorn) expect([name, text.endsWith("\n")]).toEqual([name, true]);
      }
    }
  }
  const leftovers = (): readonly string[] => treeOf(state).filter((name) => /\.tmp/.test(name));

  it.each([
    ["none killed", []],
    ["two killed as they start", [2, 5]],
    ["two killed as they work", [9, 12]],
    ["two killed as they end", [14, 15]],
  ] as const)(
    "%s: every file is whole, nobody else's is lost (SES-49, WS-03)",
    { timeout: 60_000 },
    async (_name, killAt) => {
      const { base } = scene.scratch;
      const dirs = Array.from({ length: PROCESSES }, (_unused, i) => path.join(base, `ws${i}`));
      for (const dir of dirs) mkdirSync(dir);
      scene.fake.script(...Array.from({ length: PROCESSES * 4 }, () => play));
      const args = ["--permission-mode", "accept-edits"];
      const runs = dirs.map((ws, i) => startExec(scene.scratch, [...args, `prompt of ${i};`], { ws }));
      const killed: number[] = [];
      const running = (i: number): boolean => runs[i]?.child.exitCode === null && !killed.includes(i);
      for (const at of killAt) {
        await until(() => scene.fake.requests.length >= at || !dirs.some((_dir, i) => running(i)));
        // Not always the first one started; which has got how far differs from run to run.
        const victim = [at, at + 3, ...dirs.keys()].map((i) => i % PROCESSES).find(running);
        if (victim === undefined) continue;
        runs[victim]?.child.kill("SIGKILL");
        killed.push(victim);
      }
      const ended = await Promise.all(runs.map(async ({ done }) => await done));
      const survivors = ended.flatMap((run, i) => (run.signal === null ? [{ i, report: reportOf(run) }] : []));
      expect(survivors.length).toBeGreaterThanOrEqual(PROCESSES - killAt.length);
      for (const { i, report } of survivors)
        expect([i, report.exit_code, report.result, report.error]).toEqual([i, 0, "Done here.", undefined]);
      const ids = new Set(survivors.map(({ report }) => report.session_id));
      const all = readdirSync(path.join(state, "sessions")).filter((name) => name.endsWith(".meta.json"));
      const torn = new Set(all.map((name) => name.replace(".meta.json", "")).filter((id) => !ids.has(id)));
      expectSound(torn);
      // A killed process can't clear up after itself; nobody else may leave anything.
      expect(leftovers().length).toBeLessThanOrEqual(ended.filter(({ signal }) => signal !== null).length);
      const known = await listed(dirs[0] ?? "", "--all");
      expect([...ids].filter((id) => !known.includes(id))).toEqual([]);

      // Everybody goes on, those killed included, and each sees its own conversation only.
      scene.fake.script(...dirs.map(() => ({ text: "Back." })));
      const again = await Promise.all(
        dirs.map((ws, i) => {
          const isKnown = survivors.some((one) => one.i === i);
          return startExec(scene.scratch, [...(isKnown ? ["--continue"] : []), `again in ${i};`], { ws }).done;
        }),
      );
      for (const [i, run] of again.entries()) expect([i, reportOf(run).error, run.code]).toEqual([i, undefined, 0]);
      for (const { text } of scene.fake.requests.slice(-PROCESSES)) {
        const [own] = /again in (\d);/.exec(text)?.slice(1) ?? [];
        expect(text.match(/prompt of \d;/g) ?? []).toEqual(
          survivors.some(({ i }) => String(i) === own) ? [`prompt of ${own};`] : [],
        );
      }
      expectSound(torn);
    },
  );

  it("a second process in a held workspace exits 2 and changes nothing (WS-03)", async () => {
    scene.fake.script({ text: "First.", hold: NO_END });
    const holder = startExec(scene.scratch, ["go"]);
    try {
      await until(() => scene.fake.requests.length === 1);
      const before = contentOf(scene.scratch.base);
      const attempts = [[], ["--continue"], ["--permission-mode", "bypass"], ["--plan"]];
      for (const flags of attempts) {
        const second = await execBlitz(scene.scratch, [...flags, "and me"]);
        expect([second.code, second.stdout]).toEqual([2, ""]);
        expect(second.stderr).toContain(`process ${holder.child.pid}`);
      }
      const undo = await startBlitz(scene.scratch, ["undo", "-c", scene.scratch.cfg, "-d", scene.scratch.ws]).done;
      expect(undo.code).toBe(2);
      expect(contentOf(scene.scratch.base)).toEqual(before);
      expect(scene.fake.requests).toHaveLength(1);
    } finally {
      holder.child.kill("SIGKILL");
      await holder.done;
    }
    scene.fake.script({ text: "Free." });
    expect((await scene.run("and me")).report.result).toBe("Free.");
  });
});

describe("T-SES-3: links and moved directories", () => {
  const at = (name: string): string => path.join(scene.scratch.base, name);
  const spellings = (): readonly string[] =>
    ["real", "link", "link/", "link/../real", "real/sub/.."].map((name) => `${scene.scratch.base}/${name}`);
  const from = async (ws: string, ...args: readonly string[]) =>
    reportOf(await startExec(scene.scratch, args, { ws }).done);

  beforeEach(() => {
    mkdirSync(at("real/sub"), { recursive: true });
    symlinkSync("real", at("link"));
  });

  it("every spelling of a folder is one workspace: one session, one lock, one entry (SES-02, 31, WS-03)", async () => {
    const first = await from(at("link"), "by the link");
    for (const [n, dir] of spellings().entries()) {
      expect([dir, await listed(dir)]).toEqual([dir, [first.session_id]]);
      expect([dir, (await from(dir, "--continue", `turn ${n}`)).session_id]).toEqual([dir, first.session_id]);
    }
    expect(count(scene.fake.requests.at(-1)?.text ?? "", "by the link")).toBe(1);
    expect(readdirSync(path.join(state, "locks")).filter((name) => name.endsWith(".lock.db"))).toHaveLength(1);

    const gate = Promise.withResolvers<void>();
    scene.fake.script({ text: "Held.", hold: gate.promise });
    const before = scene.fake.requests.length;
    const holder = startExec(scene.scratch, ["--continue", "hold"], { ws: at("link") });
    await until(() => scene.fake.requests.length > before);
    const seconds = await Promise.all(
      spellings().map(async (ws) => await startExec(scene.scratch, ["me too"], { ws }).done),
    );
    for (const second of seconds)
      expect([second.code, second.stderr]).toEqual([
        2,
        `blitz: another blitz has ${at("real")} open (process ${holder.child.pid})\n`,
      ]);
    gate.resolve();
    expect(reportOf(await holder.done).result).toBe("Held.");
  });

  it("a folder moved away with a link left in its place keeps its sessions (SES-32)", async () => {
    const first = await from(at("link"), "before the move");
    renameSync(at("real"), at("moved"));
    symlinkSync("moved", at("real"));
    for (const dir of ["moved", "real", "link", "link/sub/.."].map((name) => `${scene.scratch.base}/${name}`)) {
      expect([dir, await listed(dir)]).toEqual([dir, [first.session_id]]);
      expect([dir, (await from(dir, "--continue", "after")).session_id]).toEqual([dir, first.session_id]);
    }
    expect(count(scene.fake.requests.at(-1)?.text ?? "", "before the move")).toBe(1);
  });

  it("a session resumes by its ID from another folder, and --continue there doesn't find it (SES-31)", async () => {
    const first = await from(at("real"), "in real");
    mkdirSync(at("elsewhere"));
    expect(await listed(at("elsewhere"))).toEqual([]);
    const none = await startExec(scene.scratch, ["--continue", "go"], { ws: at("elsewhere") }).done;
    expect(none.code).toBe(2);
    const there = await startExec(scene.scratch, [`--resume=${first.session_id}`, "from afar"], { ws: at("elsewhere") })
      .done;
    expect(reportOf(there).session_id).toBe(first.session_id);
    expect(scene.fake.requests.at(-1)?.text).toContain("in real");
  });
});
