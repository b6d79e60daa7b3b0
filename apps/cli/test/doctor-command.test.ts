// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startFakeProvider } from "@blitz/fakeprovider";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScratch, type Finished, HAS_SANDBOX, type Scratch, startBlitz } from "./run-blitz.js";
import { endpointIn, startService } from "./start-service.js";
import { contentOf, startExec, until } from "./scene.js";

const OFF = '[sandbox]\nshell = "off"\n';

let scratch: Scratch;
let file: string;
beforeEach(() => {
  scratch = createScratch();
  file = path.join(scratch.cfg, ".env.toml");
});
afterEach(() => scratch[Symbol.dispose]());

/** A run, and its lines by check: mark and detail. */
interface Checked extends Finished {
  readonly lines: Readonly<Record<string, string>>;
}

async function doctor(env: Readonly<Record<string, string>> = {}, ...flags: readonly string[]): Promise<Checked> {
  const args = ["doctor", "-c", scratch.cfg, "-d", scratch.ws, ...flags];
  const finished = await startBlitz(scratch, args, { env }).done;
  const lines = finished.stdout
    .trimEnd()
    .split("\n")
    .map((line): [string, string] => [line.slice(2, 18).trimEnd(), `${line[0]} ${line.slice(19)}`]);
  return { ...finished, lines: Object.fromEntries(lines) };
}

/** Settings with a key, and more lines. */
function configure(more: string = "", url: string = "http://127.0.0.1:9"): void {
  scratch.configure("anthropic", url, more);
  chmodSync(file, 0o600);
}

function rules(lines: string): string {
  return `[permissions]\n${lines}\n`;
}

/** Two more models of the fake's, and one without a key. */
function writeFallbacks(url: string): void {
  const openai = `[llm.openai]\napi_key = "test-key-1111111111"\nbase_url = "${url}/v1"\n`;
  const llm = '[llm]\nfallback_models = ["second", "openai/third", "gemini/fourth"]\n';
  writeFileSync(file, readFileSync(file, "utf8").replace("[llm]\n", llm) + openai);
}

/** A PATH with bash and git alone: no bubblewrap. */
function barePath(): string {
  const bin = path.join(scratch.base, "bin");
  mkdirSync(bin);
  for (const name of ["bash", "git"]) symlinkSync(`/usr/bin/${name}`, path.join(bin, name));
  return bin;
}

describe("blitz doctor", () => {
  it("prints a line for each check in their order, the key masked, exits 0 and changes nothing (CLI-50, 51)", async () => {
    configure('[pricing."fake-model"]\ninput_per_mtok = 1\noutput_per_mtok = 2\n');
    writeFileSync(path.join(scratch.ws, "AGENTS.md"), "Use tabs.\n");
    const before = contentOf(scratch.ws);
    const { code, stdout, stderr, lines } = await doctor();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`✓ ${"config file".padEnd(16)} ${file}\n`);
    expect(lines).toEqual({
      "config file": `✓ ${file}`,
      config: "✓ anthropic, the provider's model, agent blitz",
      "project settings": "✓ none",
      credentials: "✓ anthropic tes…0000",
      pricing: "✓ known for every model",
      log: `✓ ${scratch.home}/.blitz/logs (made by the service)`,
      model: "✓ anthropic/fake-model",
      bash: expect.stringMatching(/^✓ \//) as string,
      git: expect.stringMatching(/^✓ \//) as string,
      workspace: `✓ ${scratch.ws}`,
      "shell sandbox": HAS_SANDBOX
        ? (expect.stringMatching(/^✓ (bubblewrap|Seatbelt).*; network on$/) as string)
        : (expect.stringMatching(/^! off: /) as string),
      permissions: "✓ default; rules: 0 allow, 0 ask, 0 deny",
      sessions: `✓ ${scratch.home}/.blitz/sessions (made with the first session)`,
      "audit log": `✓ ${scratch.home}/.blitz/audit (made with the first session)`,
      instructions: "✓ AGENTS.md",
      service: "✓ not running; runs are in this process",
    });
    expect(Object.keys(lines)).toHaveLength(16);
    expect(contentOf(scratch.ws)).toEqual(before);
    expect(Object.keys(contentOf(scratch.home)).filter((name) => !/^\.blitz(\/cache.*)?$/.test(name))).toEqual([]);
  });

  it("warns of a missing file and of what others can read, with what to do (CLI-51, SET-50)", async () => {
    expect((await doctor()).stdout).toMatch(/^! config file .*blitz config init/m);
    configure();
    chmodSync(file, 0o644);
    for (const name of ["sessions", "audit", "logs"]) {
      mkdirSync(path.join(scratch.home, ".blitz", name), { recursive: true });
      chmodSync(path.join(scratch.home, ".blitz", name), 0o755);
    }
    const { code, lines } = await doctor();
    expect(code).toBe(0);
    expect(lines["config file"]).toBe(`! ${file} is open to others: chmod 600 '${file}'`);
    expect(lines["sessions"]).toMatch(/^! .*chmod 700 '.*\/sessions'$/);
    expect(lines["audit log"]).toMatch(/^! .*chmod 700 '.*\/audit'$/);
    expect(lines["log"]).toMatch(/^! .*chmod 700 '.*\/logs'$/);
  });

  it("ends the list at settings that don't parse, exit 1 with a count (CLI-50)", async () => {
    writeFileSync(file, "[blitz\n");
    const { code, stdout, stderr } = await doctor();
    expect([code, stderr]).toEqual([1, "blitz: 1 check failed\n"]);
    expect(stdout).toMatch(/✗ config /);
    expect(stdout).not.toContain("credentials");
  });

  it.each([
    ["fails without the selected provider's key, whatever other keys there are", "anthropic", "openai", {}, 1, "✗"],
    ["takes ANTHROPIC_AUTH_TOKEN for a credential", "anthropic", "openai", { ANTHROPIC_AUTH_TOKEN: "t" }, 0, "✓"],
    ["asks no key of ollama", "ollama", "openai", { OPENAI_MODEL: "m" }, 0, "✓"],
    ["asks no key of another server than OpenAI's", "openai", "", { OPENAI_BASE_URL: "http://127.0.0.1:9" }, 0, "✓"],
    ["takes any key where no provider is selected", "", "openai", {}, 0, "✓"],
  ])("%s (CLI-51)", async (_name, provider, keyOf, env, code, mark) => {
    const key = keyOf === "" ? "" : `[llm.${keyOf}]\napi_key = "test-key-0000000000"\n`;
    writeFileSync(file, `[llm]\nprovider = "${provider}"\n${key}`);
    const finished = await doctor(env);
    expect(finished.lines["credentials"]).toMatch(new RegExp(`^${mark} `));
    expect(finished.code).toBe(code);
  });

  it("fails without bash, and only warns without git (CLI-51)", async () => {
    configure();
    const { code, lines } = await doctor({ PATH: scratch.base, BLITZ_SANDBOX_SHELL: "off" });
    expect(code).toBe(1);
    expect([lines["bash"]?.[0], lines["git"]?.[0]]).toEqual(["✗", "!"]);
  });

  it.each([
    ["config", "! .*unknown setting blitz.nonsense", "[blitz]\nnonsense = 1\n", 0],
    ["pricing", "! unknown for anthropic/fake-model, so --max-cost-usd can't hold: set .*pricing", "", 0],
    ["log", '! log.level can\'t be "loud": set debug', '[log]\nlevel = "loud"\n', 0],
    ["log", "✓ off$", '[log]\nlevel = "off"\n', 0],
    ["pin blitz", "✓ anthropic/other$", '[agent_models]\nblitz = "other"\n', 0],
    ["pin blitz", "! openai/x: openai isn't set up: set llm.openai.api_key", '[agent_models]\nblitz = "openai/x"\n', 0],
    ["pin nobody", "! x: there is no agent nobody", '[agent_models]\nnobody = "x"\n', 0],
    ["model", "✗ a=b: not a model: .*provider/model$", '[blitz]\ndefault_model = "a=b"\n', 1],
    ["workspace", "✗ .*sandbox.allowed_paths", '[sandbox]\nallowed_paths = ["gone"]\n', 1],
    ["workspace", '✗ no agent named "blitzz"; did you mean blitz', '[blitz]\ndefault_agent = "blitzz"\n', 1],
    ["permissions", "✓ .*rules: 1 allow, 0 ask, 2 deny$", rules('allow = ["web"]\ndeny = ["web(a.b)", "read(x)"]'), 0],
    ["permissions", "✗ .*nonsense", rules('deny = ["nonsense("]'), 1],
    ["shell sandbox", '! off: .*sandbox.shell = "auto"', '[sandbox]\nshell = "off"\n', 0],
    ["permissions", "! bypass .auto_approve.;.*start in default$", `${OFF}[blitz]\nauto_approve = true\n`, 0],
    ["audit log", "! off.*audit.enabled = true", "[audit]\nenabled = false\n", 0],
    ["instructions", "✓ none found$", "", 0],
    ["instructions", "✓ off ", "[memory]\nenabled = false\n", 0],
  ])("%s: %s (CLI-51)", async (name, finding, toml, code) => {
    configure(toml);
    const finished = await doctor();
    expect(finished.lines[name]).toMatch(new RegExp(`^${finding}`));
    expect([finished.code, finished.stdout.includes("test-key")]).toEqual([code, false]);
  });

  it.runIf(process.platform === "linux")(
    "tells how to get a sandbox, and fails where one is required (SH-20)",
    async () => {
      configure();
      const PATH = barePath();
      const auto = await doctor({ PATH, BLITZ_SANDBOX_SHELL: "auto" });
      expect([auto.code, auto.lines["shell sandbox"]]).toEqual([
        0,
        "! no working OS sandbox: bwrap is not installed; install bubblewrap, or allow it to make user namespaces; every command asks; bypass is not available",
      ]);
      const required = await doctor({ PATH, BLITZ_SANDBOX_SHELL: "required" });
      expect([required.code, required.lines["shell sandbox"]]).toEqual([
        1,
        expect.stringMatching(/^✗ sandbox.shell = required, but .*install bubblewrap/),
      ]);
    },
  );

  it("names a project's settings it doesn't read, and where one's own go (CLI-51, PRJ-34)", async () => {
    configure();
    mkdirSync(path.join(scratch.ws, ".blitz"));
    writeFileSync(path.join(scratch.ws, ".blitz", "settings.toml"), "");
    expect((await doctor()).lines["project settings"]).toMatch(
      /^! ignored, .*: \.blitz\/settings\.toml; yours go in .*\/cfg\/workspaces\/ws-[0-9a-f]{8}\/\.env\.toml$/,
    );
  });

  it("warns of instructions that aren't read whole (CLI-51, MEM-06)", async () => {
    configure();
    writeFileSync(path.join(scratch.ws, "AGENTS.md"), "See @gone.md and @../outside.md\n");
    expect((await doctor()).lines["instructions"]).toMatch(
      /^! AGENTS\.md; mend: .*outside the project; gone\.md \(imported by AGENTS\.md\) isn't there$/,
    );
  });

  it("says who has the workspace open, and leaves that run alone (CLI-51, WS-03)", async () => {
    await using fake = await startFakeProvider();
    configure("", fake.url);
    const answer = Promise.withResolvers<void>();
    fake.script({ hold: answer.promise, text: "Done." });
    const run = startExec(scratch, ["go"]);
    await until(() => fake.requests.length > 0);
    const { code, lines } = await doctor();
    expect(lines["workspace"]).toMatch(
      new RegExp(`^! ${scratch.ws} is open in process ${run.child.pid} since \\d{4}-.*: go on there, or end it$`),
    );
    answer.resolve();
    expect([code, (await run.done).code]).toEqual([0, 0]);
    expect((await doctor()).lines["workspace"]).toBe(`✓ ${scratch.ws}`);
  });

  it("finds nothing wrong with a workspace the service has open: runs go there (CLI-14)", async () => {
    await using fake = await startFakeProvider();
    configure("", fake.url);
    await using service = await startService(scratch);
    await startBlitz(scratch, ["exec", "-c", scratch.cfg, "-d", scratch.ws, "go"]).done;
    const { code, lines } = await doctor();
    expect([code, lines["service"]]).toEqual([0, `✓ answers at ${endpointIn(scratch)}`]);
    expect(lines["workspace"]).toContain(`✓ ${scratch.ws} is open in process ${service.child.pid} since `);
  });

  it("isn't misled by the record of a run that was killed (WS-03)", async () => {
    await using fake = await startFakeProvider();
    configure("", fake.url);
    fake.script({ hold: new Promise(() => undefined) });
    const run = startExec(scratch, ["go"]);
    await until(() => fake.requests.length > 0);
    run.child.kill("SIGKILL");
    await run.done;
    expect((await doctor()).lines["workspace"]).toBe(`✓ ${scratch.ws}`);
  });
});

describe("blitz doctor --online", () => {
  it("asks each model for a word of at most 16 tokens, the healthy and the broken alone (CLI-52)", async () => {
    await using fake = await startFakeProvider();
    configure("", fake.url);
    writeFallbacks(fake.url);
    const refused = { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } };
    fake.script({ status: 401, body: refused }, { text: "ok" }, { status: 401, body: { error: { message: "no" } } });
    const { code, stderr, lines, stdout } = await doctor({}, "--online");
    expect([code, stderr]).toEqual([1, "blitz: 1 check failed\n"]);
    expect(lines["model"]).toMatch(/^✗ anthropic\/fake-model: .*llm\.anthropic\.api_key/);
    expect(lines["fallback 1"]).toMatch(/^✓ anthropic\/second answered in \d+\.\d s$/);
    expect(lines["fallback 2"]).toMatch(/^! openai\/third: /);
    expect(lines["fallback 3"]).toMatch(/^! gemini\/fourth: gemini isn't set up/);
    expect(fake.requests.map(({ body }) => (body as { model: string }).model)).toEqual([
      "fake-model",
      "second",
      "third",
    ]);
    expect(fake.requests[0]?.body).toMatchObject({
      max_tokens: 16,
      messages: [{ role: "user", content: [{ type: "text", text: "Reply with the single word: ok" }] }],
    });
    expect(fake.violations).toEqual([]);
    expect(stdout).not.toContain("test-key");
  });

  it("asks nobody without the flag (CLI-51)", async () => {
    await using fake = await startFakeProvider();
    configure("", fake.url);
    expect([(await doctor()).code, fake.requests.length]).toEqual([0, 0]);
  });
});
