// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  findServiceProgram,
  launchdPlist,
  LoginItemError,
  type ServiceProgram,
  systemdUnit,
  windowsRunValue,
} from "./index.js";

const SCRIPT: ServiceProgram = { runtime: "/opt/node/bin/node", program: "/opt/blitz/blitzd.js" };
/** Everything a path of a person may have that means something in one of the texts. */
const AWKWARD: ServiceProgram = {
  runtime: "/home/ann & <bob>/100%h $HOME/nöde",
  program: `/home/o'neil/"q" \\ back\\/blitzd.js`,
  args: ["--config", "/c d/", "", "$$"],
};

/** The kind of problem a text is refused with. */
function problem(render: () => string): string | undefined {
  try {
    render();
    return undefined;
  } catch (error) {
    return error instanceof LoginItemError ? `${error.kind}: ${error.message}` : String(error);
  }
}

describe("launchdPlist", () => {
  it("starts at login, again only after a failure, and keeps what is printed (SVC-50)", () => {
    expect(launchdPlist(SCRIPT, "/Users/ann/.blitz/logs/service.log")).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
        '<plist version="1.0">',
        "<dict>",
        "\t<key>Label</key>",
        "\t<string>dev.blitz.service</string>",
        "\t<key>ProgramArguments</key>",
        "\t<array>",
        "\t\t<string>/opt/node/bin/node</string>",
        "\t\t<string>/opt/blitz/blitzd.js</string>",
        "\t</array>",
        "\t<key>RunAtLoad</key>",
        "\t<true/>",
        "\t<key>KeepAlive</key>",
        "\t<dict>",
        "\t\t<key>SuccessfulExit</key>",
        "\t\t<false/>",
        "\t</dict>",
        "\t<key>StandardOutPath</key>",
        "\t<string>/Users/ann/.blitz/logs/service.log</string>",
        "\t<key>StandardErrorPath</key>",
        "\t<string>/Users/ann/.blitz/logs/service.log</string>",
        "</dict>",
        "</plist>",
        "",
      ].join("\n"),
    );
  });

  it("escapes what XML has a meaning for, in the log's path too", () => {
    const text = launchdPlist(AWKWARD, "/<a>&b");
    expect(text).toContain(
      [
        "\t\t<string>/home/ann &amp; &lt;bob&gt;/100%h $HOME/nöde</string>",
        `\t\t<string>/home/o'neil/"q" \\ back\\/blitzd.js</string>`,
        "\t\t<string>--config</string>",
        "\t\t<string>/c d/</string>",
        "\t\t<string></string>",
        "\t\t<string>$$</string>",
      ].join("\n"),
    );
    expect(text).toContain("<string>/&lt;a&gt;&amp;b</string>");
  });
});

describe("systemdUnit", () => {
  const unit = (command: string): string =>
    [
      "[Unit]",
      "Description=Blitz service",
      "",
      "[Service]",
      `ExecStart=${command}`,
      "Restart=on-failure",
      "RestartPreventExitStatus=2",
      "",
      "[Install]",
      "WantedBy=default.target",
      "",
    ].join("\n");

  it("starts at login and again after a failure (SVC-50)", () => {
    expect(systemdUnit(SCRIPT)).toBe(unit(`"/opt/node/bin/node" "/opt/blitz/blitzd.js"`));
    expect(systemdUnit({ program: "/opt/blitz/blitzd" })).toBe(unit(`"/opt/blitz/blitzd"`));
  });

  it("escapes quotes, backslashes and specifiers, and has variables left alone", () => {
    expect(systemdUnit(AWKWARD)).toBe(
      unit(
        `:"/home/ann & <bob>/100%%h $HOME/nöde" "/home/o'neil/\\"q\\" \\\\ back\\\\/blitzd.js" "--config" "/c d/" "" "$$"`,
      ),
    );
  });

  it.each(["'", '"', "\\"])("refuses a first program with %s in its path, which systemd won't start", (sign) => {
    expect(problem(() => systemdUnit({ program: `/a${sign}b/blitzd` }))).toContain("failed: systemd can't start");
  });

  // Asks systemd itself, with programs at those paths: it refuses a unit whose program it doesn't find.
  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
  it.skipIf(!hasSystemd).each(["plain", "a b", "100%h %%", "$HOME $$", "nöde ☕ & <x>;", "a;b|c@-+!:", "#x", "~=~"])(
    "is a unit that systemd takes and finds its program by, in a folder named %s",
    (folder) => {
      const root = mkdtempSync(path.join(tmpdir(), "blitz-unit-"));
      const program = path.join(root, folder, "blitzd");
      mkdirSync(path.dirname(program));
      writeFileSync(program, "#!/bin/sh\n");
      chmodSync(program, 0o755);
      const file = path.join(root, "blitz.service");
      writeFileSync(
        file,
        systemdUnit({ runtime: program, program: `/x/${AWKWARD.program}`, args: AWKWARD.args ?? [] }),
      );
      const verify = (): string => {
        const env = { HOME: root, XDG_RUNTIME_DIR: root, PATH: process.env["PATH"] ?? "" };
        const run = spawnSync("systemd-analyze", ["--user", "verify", file], { env, encoding: "utf8" });
        return run.status === 0 ? "" : run.stderr;
      };
      expect(verify()).toBe("");
      rmSync(program);
      expect(verify()).toContain(program);
      rmSync(root, { recursive: true });
      expect(existsSync(root)).toBe(false);
    },
  );
});

describe("windowsRunValue", () => {
  it("quotes every word and shows no window (SVC-50, WIN-05)", () => {
    expect(
      windowsRunValue({
        runtime: "C:\\Program Files\\Blitz\\node.exe",
        program: "C:\\Program Files\\Blitz\\blitzd.js",
      }),
    ).toBe(`conhost.exe --headless "C:\\Program Files\\Blitz\\node.exe" "C:\\Program Files\\Blitz\\blitzd.js"`);
  });

  it("keeps backslashes before a quote and % as they are meant", () => {
    expect(windowsRunValue({ program: "C:\\100% ü\\b.exe", args: ["--config", "D:\\", 'a\\"b', ""] })).toBe(
      `conhost.exe --headless "C:\\100% ü\\b.exe" "--config" "D:\\\\" "a\\\\\\"b" ""`,
    );
  });

  it("refuses what is longer than Windows takes", () => {
    const of = (length: number): string => windowsRunValue({ program: `C:\\${"x".repeat(length - 3)}` });
    const most = 260 - `conhost.exe --headless ""`.length;
    expect(of(most)).toHaveLength(260);
    expect(problem(() => of(most + 1))).toContain("failed: Windows takes 260 characters");
  });
});

describe("every text", () => {
  const renderers: readonly (readonly [string, string, (service: ServiceProgram) => string])[] = [
    ["launchd", "/", (service) => launchdPlist(service, "/log")],
    ["systemd", "/", systemdUnit],
    ["windows", "C:\\", windowsRunValue],
  ];
  it.each(renderers)("refuses relative paths and control characters (%s)", (_name, root, render) => {
    expect(problem(() => render({ program: "blitzd" }))).toBe(`failed: "blitzd" isn't an absolute path`);
    expect(problem(() => render({ runtime: "node", program: `${root}b` }))).toBe(
      `failed: "node" isn't an absolute path`,
    );
    for (const sign of ["\n", "\t", "\0", "\u007f"]) {
      expect(problem(() => render({ program: `${root}b${sign}` }))).toContain("failed: ");
      expect(problem(() => render({ program: `${root}b`, args: [sign] }))).toContain("no login item can hold");
    }
  });
});

describe("findServiceProgram", () => {
  const find = (query: { there: readonly string[]; path?: string; platform?: NodeJS.Platform; realCli?: string }) =>
    findServiceProgram({
      realCli: query.realCli ?? "/opt/blitz/bin/blitz",
      path: query.path,
      exists: (file) => query.there.includes(file),
      platform: query.platform ?? "linux",
    });

  it("takes the one beside the real blitz before any on PATH (SVC-50)", async () => {
    const there = ["/opt/blitz/bin/blitzd", "/usr/bin/blitzd"];
    expect(await find({ there, path: "/usr/bin" })).toBe("/opt/blitz/bin/blitzd");
  });

  it("takes the first on PATH otherwise, never by a relative or empty entry", async () => {
    const there = ["bin/blitzd", "blitzd", "/usr/bin/blitzd", "/b/blitzd"];
    expect(await find({ there, path: "bin::.:/a:/b:/usr/bin" })).toBe("/b/blitzd");
  });

  it("finds nothing without one", async () => {
    expect([await find({ there: [] }), await find({ there: ["/b/blitzd"], path: "/a" })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("looks for a program of Windows there", async () => {
    const there = ["D:\\bin\\blitzd.exe"];
    const realCli = "C:\\Blitz\\blitz.exe";
    expect(await find({ there, path: "C:\\x;D:\\bin", platform: "win32", realCli })).toBe("D:\\bin\\blitzd.exe");
  });
});
