// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApprovalRequest, type Decision, isReason, type PermissionMode } from "@blitz/api";
import { afterEach, describe, expect, it } from "vitest";
import { Grant } from "../grant/index.js";
import {
  type ActionRequest,
  type ApprovalGate,
  createGate,
  type Gate,
  type GateDeps,
  openApprovalStore,
} from "./index.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Setup {
  readonly gate: ApprovalGate;
  readonly asked: ApprovalRequest[];
  readonly decisions: string[];
  readonly warnings: string[];
  readonly file: string;
}

interface Options extends Partial<Omit<GateDeps, "rules">> {
  /** "deny shell(rm)". */
  readonly rules?: readonly string[];
  /** Answers in turn, the last for all that follow; none = no approver. */
  readonly answers?: readonly Decision[];
}

async function setUp(options: Options = {}): Promise<Setup> {
  const { rules = [], answers, ...deps } = options;
  const folder = mkdtempSync(join(tmpdir(), "blitz-gate-"));
  folders.push(folder);
  const file = join(folder, "approvals.json");
  const asked: ApprovalRequest[] = [];
  const decisions: string[] = [];
  const warnings: string[] = [];
  const gate = createGate({
    places: { workspace: "/w", home: "/home/ann", ignoreCase: false },
    rules: rules.map((line) => {
      const [effect = "", ...rest] = line.split(" ");
      return { effect: effect as "deny", rule: rest.join(" "), source: "global" };
    }),
    mode: "default",
    store: await openApprovalStore({ file }),
    audit: { write: ({ kind, decision }) => decisions.push(`${kind} ${decision}`) },
    sandboxActive: () => true,
    unconfined: () => false,
    autoApproveCommands: () => false,
    clock: () => 0,
    warn: (text) => warnings.push(text),
    ...deps,
  });
  if (answers !== undefined) {
    gate.setApprover(async (request) => {
      asked.push(request);
      return answers[Math.min(asked.length, answers.length) - 1] ?? "deny";
    });
  }
  return { gate, asked, decisions, warnings, file };
}

const about = { detail: "d", agent: "root", sessionId: "s", turnId: "e-1", callId: "c" } as const;
const write = (target: string, more: Partial<ActionRequest> = {}): ActionRequest => ({
  ...about,
  tool: "edit",
  kind: "write_file",
  key: "write:/w",
  keyLabel: "edits in this workspace",
  actions: [{ kind: "write_file", target }],
  ...more,
});
const command = (target: string, more: Partial<ActionRequest> = {}): ActionRequest => ({
  ...about,
  tool: "run_shell_command",
  kind: "run_command",
  key: `cmd:/w\0${target}`,
  keyLabel: "this exact command here",
  actions: [{ kind: "run_command", target }],
  policyChecked: true,
  ...more,
});
const fetch = (host: string, more: Partial<ActionRequest> = {}): ActionRequest => ({
  ...about,
  tool: "web_fetch",
  kind: "network",
  key: `web:${host}`,
  actions: [{ kind: "network", target: host }],
  ...more,
});

const never = new AbortController().signal;
const isAllowed = async (gate: Gate, request: ActionRequest): Promise<boolean> =>
  (await gate.decide(request, never)).allowed;

describe("the gate's table (APR-10)", () => {
  const all = ["default", "accept-edits", "auto", "plan", "dont-ask", "bypass"] as const;
  it.each<PermissionMode>([...all])("1: a deny rule refuses in mode %s, asking nobody", async (mode) => {
    const { gate, asked, decisions } = await setUp({ mode, rules: ["deny write(secret/)"], answers: ["always"] });
    const decision = await gate.decide(write("secret/a", { preApproved: "policy" }), never);
    expect(decision).toEqual({ allowed: false, why: expect.stringContaining("write(secret/)") });
    expect([asked, decisions]).toEqual([[], ["denial rule-deny write(secret/)"]]);
  });

  it("1: a deny rule refuses an unattended run that has the permission, and a tool by its name", async () => {
    const { gate } = await setUp({ rules: ["deny write(a)", "deny web_fetch"] });
    const run = gate.unattended(() => true);
    expect([await isAllowed(run, write("a")), await isAllowed(run, fetch("x.org"))]).toEqual([false, false]);
  });

  it("2, 3: an unattended run has its own permissions and nothing else", async () => {
    const { gate, asked, decisions } = await setUp({
      mode: "bypass",
      rules: ["allow write", "ask web(ask.org)"],
      answers: ["always"],
      autoApproveCommands: () => true,
    });
    const run = gate.unattended(({ kind }) => kind === "network");
    expect(await isAllowed(run, fetch("ok.org"))).toBe(true);
    expect(await isAllowed(run, fetch("ask.org"))).toBe(false);
    expect(await isAllowed(run, fetch("must.org", { mustAsk: true }))).toBe(false);
    expect(await isAllowed(run, write("a"))).toBe(false);
    expect(await isAllowed(run, command("ls", { preApproved: "policy" }))).toBe(false);
    expect(asked).toEqual([]);
    expect(decisions).toEqual(["approval unattended-permitted", ...Array(4).fill("denial unattended-refused")]);
  });

  it("4: dont-ask refuses what must be asked about", async () => {
    const { gate, asked, decisions } = await setUp({
      mode: "dont-ask",
      rules: ["ask write", "allow write"],
      answers: ["once"],
    });
    expect(await isAllowed(gate, write("a"))).toBe(false);
    expect([asked, decisions]).toEqual([[], ["denial mode-dont-ask"]]);
  });

  it.each<[string, Partial<ActionRequest>]>([
    ["an ask rule", {}],
    ["mustAsk", { actions: [{ kind: "write_file", target: "other" }], mustAsk: true }],
  ])("5: %s asks twice even after always, in bypass and with allow rules", async (_name, more) => {
    const { gate, asked } = await setUp({
      mode: "bypass",
      rules: ["ask write(asked)", "allow write"],
      answers: ["always"],
    });
    expect([await isAllowed(gate, write("asked", more)), await isAllowed(gate, write("asked", more))]).toEqual([
      true,
      true,
    ]);
    expect(asked.map(({ key, mustAsk }) => [key, mustAsk])).toEqual([
      ["", true],
      ["", true],
    ]);
    expect(gate.listApprovals()).toEqual([]);
  });

  it.each<[string, ActionRequest, string]>([
    ["preApproved", fetch("a.org", { preApproved: "allow-domains" }), "allow-domains"],
    ["an allow rule", write("src/a"), "rule-allow write(src)"],
    ["an allow rule for a host", fetch("ok.org"), "rule-allow web(ok.org)"],
    ["a search rule", fetch("brave", { tool: "web_search", key: "search:brave" }), "rule-allow search(brave)"],
    ["an allow rule for the tool", command("x", { tool: "my_tool" }), "rule-allow my_tool"],
  ])("7: %s allows", async (_name, request, decision) => {
    const rules = ["allow write(src)", "allow web(ok.org)", "allow search(brave)", "allow my_tool"];
    const { gate, decisions } = await setUp({ mode: "dont-ask", rules });
    expect(await isAllowed(gate, request)).toBe(true);
    expect(decisions).toEqual([`approval ${decision}`]);
  });

  it("7: an allow rule has to cover every target, and doesn't cover a checked command beside them", async () => {
    const { gate } = await setUp({ rules: ["allow write(src)", "allow shell(*)"] });
    const two = [
      { kind: "write_file", target: "src/a" },
      { kind: "write_file", target: "lib/b" },
    ] as const;
    expect(await isAllowed(gate, write("", { actions: two }))).toBe(false);
    const mixed = [
      { kind: "write_file", target: "src/a" },
      { kind: "run_command", target: "x" },
    ] as const;
    expect(await isAllowed(gate, write("", { actions: mixed, policyChecked: true }))).toBe(false);
    expect(await isAllowed(gate, command("ls"))).toBe(false);
  });

  it("8: bypass allows while the sandbox is active", async () => {
    let active = true;
    const { gate, decisions } = await setUp({ mode: "bypass", sandboxActive: () => active });
    expect(await isAllowed(gate, command("x"))).toBe(true);
    active = false;
    expect(await isAllowed(gate, command("x"))).toBe(false);
    expect(decisions).toEqual(["approval mode-bypass", "denial no-approver"]);
  });

  it("9: auto_approve_commands allows commands and only those", async () => {
    const { gate, decisions } = await setUp({ autoApproveCommands: () => true });
    expect([await isAllowed(gate, command("x")), await isAllowed(gate, write("a"))]).toEqual([true, false]);
    expect(decisions[0]).toBe("approval auto-policy");
  });

  it("10, 11: a session answer holds for this gate, a saved one for the next", async () => {
    const { gate, asked, decisions, file } = await setUp({ answers: ["session", "always"] });
    for (const request of [command("a"), command("a"), command("b"), command("b")]) await gate.decide(request, never);
    expect(asked.map(({ key }) => key)).toEqual(["cmd:/w\0a", "cmd:/w\0b"]);
    expect(decisions).toEqual(["approval session", "approval session-rule", "approval always", "approval saved-rule"]);
    const next = await setUp({ mode: "dont-ask", store: await openApprovalStore({ file }), answers: ["once"] });
    expect([await isAllowed(next.gate, command("b")), await isAllowed(next.gate, command("a"))]).toEqual([true, false]);
    expect(next.asked).toEqual([]);
  });

  it("covers the exact command of an always answer only (T-PERM-1)", async () => {
    const { gate, asked } = await setUp({ answers: ["always", "deny"] });
    expect(await isAllowed(gate, command("git status && rm -rf ./tmp"))).toBe(true);
    expect(await isAllowed(gate, command("git status && rm -rf ./other"))).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it("12: accept-edits allows writing and deleting, but no command, fetch or control file", async () => {
    const { gate, decisions } = await setUp({ mode: "accept-edits" });
    const both = [
      { kind: "write_file", target: "a" },
      { kind: "delete_file", target: "b" },
    ] as const;
    expect(await isAllowed(gate, write("", { actions: both }))).toBe(true);
    expect(await isAllowed(gate, command("ls"))).toBe(false);
    expect(await isAllowed(gate, fetch("x.org"))).toBe(false);
    expect(await isAllowed(gate, write(".git/config", { control: true }))).toBe(false);
    expect(decisions[0]).toBe("approval mode-accept-edits");
  });

  it("13: dont-ask never reaches the approver", async () => {
    const { gate, asked, decisions } = await setUp({ mode: "dont-ask", answers: ["once"] });
    expect(await isAllowed(gate, write("a"))).toBe(false);
    expect([asked, decisions]).toEqual([[], ["denial mode-dont-ask"]]);
  });

  it("17: nobody to ask refuses and names rules and modes as the way out", async () => {
    const { gate, decisions } = await setUp();
    expect(await gate.decide(write("a"), never)).toEqual({ allowed: false, why: expect.stringMatching(/rule.*mode/) });
    expect(decisions).toEqual(["denial no-approver"]);
  });

  it.each<[Decision, boolean]>([
    ["once", true],
    ["session", true],
    ["always", true],
    ["deny", false],
  ])("18: the answer %s → %s", async (answer, allowed) => {
    const { gate, decisions } = await setUp({ answers: [answer] });
    const decision = await gate.decide(write("a"), never);
    expect(decision.allowed).toBe(allowed);
    expect(decisions).toEqual([`${allowed ? "approval" : "denial"} ${answer}`]);
    if (!decision.allowed) expect(decision.why).toContain("the user declined this change to files");
  });

  it("18: an approver that throws or answers something else denies (APR-12)", async () => {
    const { gate, decisions } = await setUp();
    gate.setApprover(() => Promise.reject(new Error("gone")));
    expect(await isAllowed(gate, write("a"))).toBe(false);
    gate.setApprover(() => Promise.resolve("yes" as Decision));
    expect(await isAllowed(gate, write("a"))).toBe(false);
    expect(decisions).toEqual(["denial error", "denial deny"]);
  });
});

describe("a decision", () => {
  it("grants exactly the request's actions", async () => {
    const { gate } = await setUp({ answers: ["once"] });
    const decision = await gate.decide(write("a"), never);
    if (!decision.allowed) throw new Error("not allowed");
    expect(Grant.covers(decision.grant, "write_file", "a")).toBe(true);
    expect(Grant.covers(decision.grant, "write_file", "b")).toBe(false);
  });

  it("computes the diff only for somebody who is asked (05 §9)", async () => {
    let computed = 0;
    const diff = (): string => `diff ${++computed}`;
    const { gate, asked } = await setUp({ rules: ["allow write(a)"], answers: ["once"] });
    await gate.decide(write("a", { diff }), never);
    expect(computed).toBe(0);
    await gate.decide(write("b", { diff }), never);
    expect(asked.map((request) => request.diff)).toEqual(["diff 1"]);
  });

  it("can be approved only once without a key (APR-02)", async () => {
    const { gate, asked } = await setUp({ answers: ["always"] });
    const { key: _key, ...request } = write("a");
    expect([await isAllowed(gate, request), await isAllowed(gate, request)]).toEqual([true, true]);
    expect(asked).toHaveLength(2);
  });

  it("asks for a control file each time, in every mode, unless a rule names it (FS-102)", async () => {
    for (const mode of ["default", "accept-edits", "bypass"] as const) {
      const { gate, asked } = await setUp({ mode, rules: ["allow write", "allow write(.envrc)"], answers: ["always"] });
      await gate.decide(write("a"), never);
      const hook = write(".git/hooks/x", { control: true });
      expect([await isAllowed(gate, hook), await isAllowed(gate, hook)]).toEqual([true, true]);
      expect(asked.map(({ key }) => key)).toEqual(["", ""]);
      expect(await isAllowed(gate, write(".envrc", { control: true }))).toBe(true);
      expect(asked).toHaveLength(2);
    }
  });

  it("still holds for the session when saving fails, and says so (APR-12)", async () => {
    const { gate, file, warnings, decisions } = await setUp({ answers: ["always", "deny"] });
    writeFileSync(file, "garbage");
    expect([await isAllowed(gate, command("a")), await isAllowed(gate, command("a"))]).toEqual([true, true]);
    expect(warnings).toEqual([expect.stringContaining("could not be saved")]);
    expect(decisions).toEqual(["approval always", "approval session-rule"]);
  });
});

describe("without a sandbox (APR-62)", () => {
  it.each<[string, Options]>([
    ["auto-approval by the policy", {}],
    ["an allow rule for the tool", { rules: ["allow run_shell_command"] }],
    ["auto_approve_commands", { autoApproveCommands: () => true }],
    ["a saved answer", {}],
  ])("every command asks each time despite %s", async (_name, options) => {
    const { gate, asked } = await setUp({
      ...options,
      sandboxActive: () => false,
      unconfined: () => true,
      answers: ["always"],
    });
    const request = command("ls", { preApproved: "policy" });
    expect([await isAllowed(gate, request), await isAllowed(gate, request)]).toEqual([true, true]);
    expect(asked.map(({ key }) => key)).toEqual(["", ""]);
    expect(
      await isAllowed(
        gate.unattended(() => true),
        request,
      ),
    ).toBe(false);
    gate.setMode("dont-ask");
    expect(await isAllowed(gate, request)).toBe(false);
  });

  it("bypass can't be entered or started in (PAR-PERM-05)", async () => {
    const { gate, warnings } = await setUp({ mode: "bypass", sandboxActive: () => false });
    expect(gate.mode()).toBe("default");
    expect(warnings).toEqual([expect.stringContaining("bypass")]);
    let thrown: unknown;
    try {
      gate.setMode("bypassPermissions");
    } catch (error) {
      thrown = error;
    }
    expect(isReason(thrown, "BYPASS_NEEDS_SANDBOX")).toBe(true);
    expect(gate.mode()).toBe("default");
    expect(gate.setMode("acceptEdits")).toBe("accept-edits");
    expect(() => gate.setMode("yolo")).toThrow("unknown permission mode");
  });
});

describe("requests that wait (APR-51, 52)", () => {
  it("are shown one at a time, and an answer with the same key settles those behind it", async () => {
    const { gate, decisions } = await setUp();
    const answers: ((decision: Decision) => void)[] = [];
    let open = 0;
    let most = 0;
    gate.setApprover(
      () =>
        new Promise((resolve) => {
          most = Math.max(most, ++open);
          answers.push((decision) => {
            open--;
            resolve(decision);
          });
        }),
    );
    const waiting = Promise.all([
      isAllowed(gate, write("a")),
      isAllowed(gate, write("b")),
      isAllowed(gate, write("c")),
    ]);
    await expect.poll(() => answers.length).toBe(1);
    answers[0]?.("session");
    expect(await waiting).toEqual([true, true, true]);
    expect([answers.length, most]).toEqual([1, 1]);
    expect(decisions).toEqual(["approval session", "approval session-rule", "approval session-rule"]);
  });

  it("end as denied when the turn is cancelled, on screen and in the queue, and let others through", async () => {
    const { gate, decisions } = await setUp();
    const turn = new AbortController();
    const signals: AbortSignal[] = [];
    gate.setApprover((_request, signal) => {
      signals.push(signal);
      return signals.length === 1 ? new Promise(() => {}) : Promise.resolve("once");
    });
    const shown = gate.decide(write("a"), turn.signal);
    const queued = gate.decide(write("b"), turn.signal);
    const other = gate.decide(write("c"), never);
    await expect.poll(() => signals.length).toBe(1);
    turn.abort();
    expect((await shown).allowed).toBe(false);
    expect((await queued).allowed).toBe(false);
    expect((await other).allowed).toBe(true);
    expect(signals[0]?.aborted).toBe(true);
    expect((await gate.decide(write("d"), turn.signal)).allowed).toBe(false);
    expect(decisions.filter((decision) => decision === "denial cancelled")).toHaveLength(3);
  });

  it("are refused when the answer comes with the cancellation (APR-52)", async () => {
    const { gate } = await setUp();
    const turn = new AbortController();
    gate.setApprover(async () => {
      turn.abort();
      return "always";
    });
    expect((await gate.decide(write("a"), turn.signal)).allowed).toBe(false);
    expect(gate.listApprovals()).toEqual([]);
  });
});

describe("rules and answers", () => {
  it("lists deny, ask, allow; ignores duplicates; removes by any spelling (PAR-PERM-12)", async () => {
    const { gate } = await setUp({ rules: ["allow shell(ls)", "deny bash(rm)"] });
    gate.rules.add("ask", "edit(src)", "session");
    expect(gate.rules.add("deny", "cmd(rm)", "session").source).toBe("global");
    const listed = (): string[] => gate.rules.list().map(({ effect, rule, source }) => `${effect} ${rule} ${source}`);
    expect(listed()).toEqual(["deny shell(rm) global", "ask write(src) session", "allow shell(ls) global"]);
    expect(gate.rules.shell()).toEqual({ deny: ["rm"], ask: [], allow: ["ls"] });
    expect([gate.rules.remove("deny", "command(rm)"), gate.rules.remove("deny", "command(rm)")]).toEqual([true, false]);
    gate.rules.replaceConfigured([{ effect: "deny", rule: "read(.env)", source: "workspace" }]);
    expect(listed()).toEqual(["deny read(.env) workspace", "ask write(src) session"]);
    expect(gate.rules.readDenied()).toEqual([".env"]);
    expect(() => gate.rules.add("deny", "nope(", "session")).toThrow("bad rule");
    expect(listed()).toHaveLength(2);
  });

  it("keeps built-in shell rules out of what the policy gets, and shell rules stable until they change", async () => {
    const { gate } = await setUp();
    gate.rules.replaceConfigured([{ effect: "allow", rule: "shell(ls)", source: "built-in" }]);
    expect(gate.rules.shell()).toEqual({ deny: [], ask: [], allow: [] });
    expect(gate.rules.shell()).toBe(gate.rules.shell());
    expect(gate.denied("edit")).toBeUndefined();
    gate.rules.add("deny", "Edit_File", "flag");
    expect(gate.denied("edit_file")).toBe("Edit_File");
  });

  it("lists remembered answers by what they cover, and forgets them (APR-21)", async () => {
    const { gate } = await setUp({ answers: ["session", "always", "always"] });
    for (const request of [write("a"), command("ls -l"), fetch("x.org")]) await gate.decide(request, never);
    expect(gate.listApprovals().map(({ kind, subject, dir, always }) => [kind, subject, dir, always])).toEqual([
      ["write_file", "", "/w", false],
      ["run_command", "ls -l", "/w", true],
      ["network", "x.org", undefined, true],
    ]);
    expect(await gate.revokeApprovals(["web:x.org", "write:/w", "unknown"])).toBe(2);
    expect(gate.listApprovals()).toHaveLength(1);
    await gate.clearApprovals();
    expect(gate.listApprovals()).toEqual([]);
  });
});
