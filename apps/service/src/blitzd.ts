// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { homedir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { isReason } from "@blitz/api";
import { defaultEndpoint } from "@blitz/socket";
import { ListenError } from "@blitz/socket/listen";
import { type Service, startService } from "./service.js";

const HELP: string = `Usage: blitzd [--socket PATH] [--config DIR]

The Blitz service: hosts open workspaces and offers them on a local socket.

  --socket PATH   where it listens (default $BLITZ_SOCKET, else ~/.blitz/run/blitz.sock)
  --config DIR    settings directory (default ~/.blitz)
  --version       show the version
  --help          show this
`;

/** Exit codes: 0 after a clean stop, 1 for a failure, 2 for bad flags or a service that answers already (SVC-00). */
const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** Runs the service until it is told to stop; the exit code. */
export async function main(argv: readonly string[], version: string): Promise<number> {
  const say = (text: string): void => void process.stderr.write(`blitzd: ${text}\n`);
  const flags = parseFlags(argv);
  if (typeof flags === "string") {
    say(`${flags}\nRun 'blitzd --help' for usage.`);
    return EXIT.usage;
  }
  if (flags.help === true) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  if (flags.version === true) {
    process.stdout.write(`blitzd ${version}\n`);
    return EXIT.ok;
  }
  if (process.platform === "win32") {
    // A pipe lets other users' programs in: without the token of SVC-61 nothing may listen there.
    say("the service doesn't run on Windows yet");
    return EXIT.failed;
  }
  try {
    const service = await startService(optionsOf(flags, version, say));
    return await serve(service, say);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    const isUsage = error instanceof ListenError ? error.kind !== "failed" : isReason(error, "CONFIG_INVALID");
    return isUsage ? EXIT.usage : EXIT.failed;
  }
}

type Flags = Readonly<Record<"socket" | "config", string | undefined>> &
  Readonly<Record<"help" | "version", boolean | undefined>>;

/** The flags, or what is wrong with them. */
function parseFlags(argv: readonly string[]): Flags | string {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        socket: { type: "string" },
        config: { type: "string", short: "c" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean", short: "v" },
      },
      strict: true,
      allowPositionals: false,
    });
    return { socket: values.socket, config: values.config, help: values.help, version: values.version };
  } catch (error) {
    return (error as Error).message.split(". ")[0] ?? "bad arguments";
  }
}

function optionsOf(flags: Flags, version: string, say: (text: string) => void): Parameters<typeof startService>[0] {
  const { env, platform } = process;
  const home = homedir();
  const configDir = path.resolve(flags.config ?? env["MODENV_PREFIX"] ?? path.join(home, ".blitz"));
  return {
    endpoint:
      flags.socket === undefined ? defaultEndpoint({ env, home, platform, configDir }) : path.resolve(flags.socket),
    configDir,
    home,
    env,
    version,
    executable: process.argv[1] ?? process.execPath,
    warn: say,
  };
}

/** Waits for a signal, or a stop over the API. A second signal ends the program at once (SVC-04). */
async function serve(service: Service, say: (text: string) => void): Promise<number> {
  say(`listening on ${service.endpoint}`);
  const signalled = Promise.withResolvers<void>();
  let signals = 0;
  const onSignal = (): void => {
    signals += 1;
    if (signals > 1) process.exit(EXIT.failed);
    signalled.resolve();
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, onSignal);
  const failed = Promise.withResolvers<unknown>();
  process.on("uncaughtException", failed.resolve);
  process.on("unhandledRejection", failed.resolve);
  const ended = await Promise.race([
    signalled.promise.then(() => undefined),
    service.stopAsked.then(() => undefined),
    failed.promise.then((error) => ({ error })),
  ]);
  if (ended !== undefined) {
    // A state nobody foresaw: say so, free the socket, and let whoever starts services start it anew (SVC-60).
    service.log.error("uncaught", { error: ended.error });
    say(`stopped by an unexpected error: ${ended.error instanceof Error ? ended.error.message : String(ended.error)}`);
  }
  await service.stop();
  return ended === undefined ? EXIT.ok : EXIT.failed;
}
