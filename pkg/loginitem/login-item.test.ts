// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createLoginItem,
  launchdPlist,
  type LoginItem,
  LoginItemError,
  type ProgramResult,
  type ServiceProgram,
  systemdUnit,
} from "./index.js";

const PROGRAM: ServiceProgram = { runtime: "/opt/node", program: "/opt/blitzd.js" };
const OPERATIONS = ["install", "uninstall", "status", "start", "restart", "stop"] as const;
type Operation = (typeof OPERATIONS)[number];

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "blitz-loginitem-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface System {
  readonly item: LoginItem;
  /** What was run, a line each, and `pause`. */
  readonly ran: string[];
  /** The commands run by what follows. */
  during(step: () => Promise<unknown>): Promise<readonly string[]>;
}

/** A system whose programs do nothing but answer; without an answer they succeed. */
function systemOf(
  platform: NodeJS.Platform,
  answer: (line: string) => Partial<ProgramResult> | Error | undefined,
): System {
  const ran: string[] = [];
  const item = createLoginItem({
    platform,
    home,
    uid: 501,
    runProgram: async (argv, signal) => {
      signal?.throwIfAborted();
      ran.push(argv.join(" "));
      const result = answer(argv.join(" "));
      if (result instanceof Error) throw result;
      return { code: 0, stdout: "", stderr: "", ...result };
    },
    pause: async () => void ran.push("pause"),
  });
  return {
    item,
    ran,
    during: async (step) => {
      const before = ran.length;
      await step();
      return ran.slice(before);
    },
  };
}

const call = (item: LoginItem, operation: Operation): Promise<unknown> =>
  operation === "install" ? item.install(PROGRAM) : item[operation]();

/** What an operation is refused with. */
async function problem(work: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof LoginItemError
    ? `${error.kind}: ${error.message}`
    : error === undefined
      ? undefined
      : String(error);
}

const filesBelow = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(home, path.join(entry.parentPath, entry.name)));

describe("the login item of macOS", () => {
  const PLIST = "Library/LaunchAgents/dev.blitz.service.plist";
  const TARGET = "gui/501/dev.blitz.service";
  const PRINT = `launchctl print ${TARGET}`;
  const BOOTOUT = `launchctl bootout ${TARGET}`;
  const bootstrap = (): string => `launchctl bootstrap gui/501 ${path.join(home, PLIST)}`;

  /** launchd with the service loaded or not; it takes `slow` looks to be gone. */
  function mac(slow = 0, fail: (line: string) => Partial<ProgramResult> | undefined = () => undefined): System {
    let isLoaded = false;
    let looksLeft = 0;
    return systemOf("darwin", (line) => {
      const failed = fail(line);
      if (failed !== undefined) return failed;
      if (line === PRINT) return { code: isLoaded || looksLeft-- > 0 ? 0 : 113 };
      if (line === BOOTOUT) {
        if (!isLoaded) return { code: 3, stderr: "Boot-out failed: 3: No such process" };
        [isLoaded, looksLeft] = [false, slow];
      }
      if (line === bootstrap()) isLoaded = true;
      return undefined;
    });
  }

  it("is written as a file others may read, in place, and loaded (SVC-50)", async () => {
    const { item, during } = mac();
    const umask = process.umask(0o077);
    expect(await during(() => item.install(PROGRAM))).toEqual([BOOTOUT, PRINT, bootstrap()]);
    process.umask(umask);
    const logFile = path.join(home, ".blitz/logs/service.log");
    expect(readFileSync(path.join(home, PLIST), "utf8")).toBe(launchdPlist(PROGRAM, logFile));
    expect(statSync(path.join(home, PLIST)).mode & 0o777).toBe(0o644);
    expect(statSync(path.dirname(logFile)).mode & 0o777).toBe(0o700);
    expect(filesBelow(home)).toEqual([PLIST]);
  });

  it("is restarted when it is installed again, once the old one has ended (SVC-50)", async () => {
    const { item, during } = mac(2);
    await item.install(PROGRAM);
    const other = { program: "/opt/other" };
    expect(await during(() => item.install(other))).toEqual([
      BOOTOUT,
      PRINT,
      "pause",
      PRINT,
      "pause",
      PRINT,
      bootstrap(),
    ]);
    expect(readFileSync(path.join(home, PLIST), "utf8")).toContain("<string>/opt/other</string>");
  });

  it("is started, stopped and restarted (SVC-52)", async () => {
    const { item, during } = mac();
    await item.install(PROGRAM);
    expect(await during(() => item.start())).toEqual([PRINT, `launchctl kickstart ${TARGET}`]);
    expect(await during(() => item.restart())).toEqual([BOOTOUT, PRINT, bootstrap()]);
    expect(await during(() => item.stop())).toEqual([BOOTOUT, PRINT]);
    expect(await during(() => item.stop())).toEqual([BOOTOUT, PRINT]); // not running: nothing to complain about
    expect(await during(() => item.start())).toEqual([PRINT, bootstrap()]);
  });

  it("is stopped before it is removed (SVC-51)", async () => {
    const { item, during } = mac();
    expect(await item.status()).toEqual({ installed: false, where: path.join(home, PLIST) });
    await item.install(PROGRAM);
    expect(await item.status()).toEqual({ installed: true, where: path.join(home, PLIST) });
    expect(await during(() => item.uninstall())).toEqual([BOOTOUT, PRINT]);
    expect([filesBelow(home), (await item.status()).installed]).toEqual([[], false]);
  });

  it("says what launchctl said when it can't be loaded", async () => {
    const { item } = mac(0, (line) =>
      line === bootstrap() ? { code: 5, stderr: "Bootstrap failed: 5: Input/output error\n" } : undefined,
    );
    expect(await problem(item.install(PROGRAM))).toBe(
      `failed: ${bootstrap()} ended with 5: Bootstrap failed: 5: Input/output error`,
    );
  });

  it("is kept, and waited for no longer, when it doesn't stop", async () => {
    const { item, ran } = mac(1_000);
    await item.install(PROGRAM);
    expect(await problem(item.uninstall())).toBe(`failed: ${BOOTOUT} ended with 0: the service still runs`);
    expect(ran.filter((line) => line === "pause")).toHaveLength(30);
    expect((await item.status()).installed).toBe(true);
  });
});

describe("the login item of Linux", () => {
  const UNIT = ".config/systemd/user/blitz.service";
  const IS_ACTIVE = "systemctl --user is-active --quiet blitz.service";
  const RELOAD = "systemctl --user daemon-reload";
  const ENABLE = "systemctl --user enable --now blitz.service";
  const RESTART = "systemctl --user restart blitz.service";

  function linux(fail: (line: string) => Partial<ProgramResult> | Error | undefined = () => undefined): System {
    let isActive = false;
    return systemOf("linux", (line) => {
      const failed = fail(line);
      if (failed !== undefined) return failed;
      if (line === IS_ACTIVE) return { code: isActive ? 0 : 3 };
      if (line === ENABLE) isActive = true;
      return undefined;
    });
  }

  it("is written as a file others may read, in place, enabled and started (SVC-50)", async () => {
    const { item, during } = linux();
    const umask = process.umask(0o077);
    expect(await during(() => item.install(PROGRAM))).toEqual([IS_ACTIVE, RELOAD, ENABLE]);
    process.umask(umask);
    expect(readFileSync(path.join(home, UNIT), "utf8")).toBe(systemdUnit(PROGRAM));
    expect(statSync(path.join(home, UNIT)).mode & 0o777).toBe(0o644);
    expect(filesBelow(home)).toEqual([UNIT]);
  });

  it("is restarted when it is installed again (SVC-50)", async () => {
    const { item, during } = linux();
    await item.install(PROGRAM);
    expect(await during(() => item.install({ program: "/opt/other" }))).toEqual([IS_ACTIVE, RELOAD, ENABLE, RESTART]);
    expect(readFileSync(path.join(home, UNIT), "utf8")).toContain(`ExecStart="/opt/other"`);
  });

  it("is started, stopped and restarted (SVC-52)", async () => {
    const { item, during } = linux();
    await item.install(PROGRAM);
    for (const word of ["start", "restart", "stop"] as const)
      expect(await during(() => item[word]())).toEqual([`systemctl --user ${word} blitz.service`]);
  });

  it("is stopped before it is removed (SVC-51)", async () => {
    const { item, during } = linux();
    expect(await item.status()).toEqual({ installed: false, where: path.join(home, UNIT) });
    await item.install(PROGRAM);
    expect(await item.status()).toEqual({ installed: true, where: path.join(home, UNIT) });
    expect(await during(() => item.uninstall())).toEqual(["systemctl --user disable --now blitz.service", RELOAD]);
    expect([filesBelow(home), (await item.status()).installed]).toEqual([[], false]);
  });

  it.each([
    ["daemon-reload", "Failed to connect to bus: No medium found"],
    ["enable", "Unit blitz.service is masked"],
  ])("says what systemctl said when %s fails", async (word, stderr) => {
    const { item } = linux((line) => (line.includes(word) ? { code: 1, stderr: `${stderr}\n` } : undefined));
    expect(await problem(item.install(PROGRAM))).toMatch(new RegExp(`^failed: systemctl .* ended with 1: ${stderr}$`));
  });

  it("stays when it can't be stopped", async () => {
    const { item } = linux((line) => (line.includes("disable") ? { code: 1, stdout: "no" } : undefined));
    await item.install(PROGRAM);
    expect(await problem(item.uninstall())).toBe(
      "failed: systemctl --user disable --now blitz.service ended with 1: no",
    );
    expect((await item.status()).installed).toBe(true);
  });

  it("leaves a system without systemd as it was", async () => {
    const { item } = linux(() => new Error("spawn systemctl ENOENT"));
    expect(await problem(item.install(PROGRAM))).toContain("unsupported: can't run systemctl: Error: spawn");
    expect(readdirSync(home)).toEqual([]);
  });

  it("fails, with nothing left, when the file can't be written", async () => {
    mkdirSync(path.join(home, UNIT), { recursive: true }); // a folder has its name
    const { item, ran } = linux();
    expect(await problem(item.install(PROGRAM))).toContain(`failed: can't write ${path.join(home, UNIT)}`);
    expect([ran, filesBelow(home)]).toEqual([[IS_ACTIVE], []]);
    rmSync(path.join(home, ".config"), { recursive: true });
    writeFileSync(path.join(home, ".config"), "a file");
    expect(await problem(item.install(PROGRAM))).toContain("failed: can't write");
  });

  it("keeps the former file when the new one is refused", async () => {
    const { item, during } = linux();
    await item.install(PROGRAM);
    expect(await during(async () => problem(item.install({ program: "blitzd" })))).toEqual([]);
    expect(readFileSync(path.join(home, UNIT), "utf8")).toBe(systemdUnit(PROGRAM));
  });

  it("stops at an abort, with its reason", async () => {
    const { item } = linux();
    await expect(item.install(PROGRAM, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
    expect(readdirSync(home)).toEqual([]);
  });

  it("works where the folder was made closed to others", async () => {
    mkdirSync(path.join(home, ".config"));
    chmodSync(path.join(home, ".config"), 0o700);
    await linux().item.install(PROGRAM);
    expect(statSync(path.join(home, ".config")).mode & 0o777).toBe(0o700);
  });
});

describe("the login item of Windows", () => {
  const KEY = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";
  const QUERY = `reg query ${KEY} /v Blitz`;
  const NODE = { runtime: "C:\\N\\node.exe", program: "C:\\B\\blitzd.js" };

  function windows(): System {
    let isThere = false;
    return systemOf("win32", (line) => {
      if (line === QUERY) return { code: isThere ? 0 : 1 };
      isThere = line.startsWith("reg add");
      return undefined;
    });
  }

  it("is a value under Run, added, asked for and deleted (SVC-50, 51)", async () => {
    const { item, during } = windows();
    expect(await item.status()).toEqual({ installed: false, where: `${KEY}\\Blitz` });
    expect(await during(() => item.install(NODE))).toEqual([
      `reg add ${KEY} /v Blitz /t REG_SZ /d conhost.exe --headless "C:\\N\\node.exe" "C:\\B\\blitzd.js" /f`,
    ]);
    expect((await item.status()).installed).toBe(true);
    expect(await during(() => item.uninstall())).toEqual([QUERY, `reg delete ${KEY} /v Blitz /f`]);
    expect((await item.status()).installed).toBe(false);
  });

  it("says what reg said", async () => {
    const { item } = systemOf("win32", () => ({ code: 1, stderr: "ERROR: Access is denied.\r\n" }));
    expect(await problem(item.install(NODE))).toMatch(/^failed: reg add .* ended with 1: ERROR: Access is denied\.$/);
  });

  it.each(["start", "restart", "stop"] as const)("can't %s the service, which its own call does", async (operation) => {
    const { item } = windows();
    await item.install(NODE);
    expect(await problem(item[operation]())).toContain("unsupported: Windows starts the service at login only");
  });

  it("refuses a program by rejecting, not by throwing", async () => {
    expect(await problem(windows().item.install({ program: "blitzd" }))).toContain("isn't an absolute path");
  });
});

describe("without a login item", () => {
  it.each(["darwin", "linux", "win32"] as const)(
    "there is nothing to start, stop or remove (%s, SVC-52)",
    async (platform) => {
      const { item } = systemOf(platform, (line) => (line.startsWith("reg query") ? { code: 1 } : undefined));
      for (const operation of ["uninstall", "start", "restart", "stop"] as const)
        expect(await problem(item[operation]())).toContain("not-installed: the service isn't installed");
    },
  );

  it.each(OPERATIONS)("%s is refused on other systems (SVC-50)", async (operation) => {
    const { item, ran } = systemOf("freebsd", () => undefined);
    expect(await problem(call(item, operation))).toBe("unsupported: Blitz can't start at login on freebsd");
    expect([ran, readdirSync(home)]).toEqual([[], []]);
  });
});
