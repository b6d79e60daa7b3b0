// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** How a wrapper's command line leads to the command it runs (SH-10, SH-61). */
export interface Wrapper {
  /** Letters of short options that take a value: attached, or the next word. */
  readonly values?: string;
  /** Long options that take the next word as their value when written without `=`. */
  readonly longValues?: readonly string[];
  /** Words between the options and the command. */
  readonly operands?: number;
  /** `NAME=value` words before the command are assignments. */
  readonly assigns?: boolean;
  /** Adds words the policy can't see to the command (standard input). */
  readonly addsWords?: boolean;
  /** Options whose value is itself a script. */
  readonly scriptOptions?: readonly string[];
  /** What follows is joined and run by a shell. */
  readonly joinsScript?: boolean;
  /** Changes nothing but time, priority, signals or output: it doesn't stand in the way of auto-approval. */
  readonly isHarmless?: boolean;
  /** Without a command it reads a script from its input. */
  readonly readsScript?: boolean;
}

const SUDO_LONG = [
  "user",
  "group",
  "host",
  "prompt",
  "chdir",
  "chroot",
  "close-from",
  "command-timeout",
  "other-user",
  "role",
  "type",
];

/** Programs and builtins that run the command they are given. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    "env",
    {
      values: "uC",
      longValues: ["unset", "chdir"],
      assigns: true,
      scriptOptions: ["S", "split-string"],
      isHarmless: true,
    },
  ],
  ["nohup", { isHarmless: true }],
  ["command", { isHarmless: true }],
  ["builtin", { isHarmless: true }],
  ["exec", { values: "a" }],
  ["time", { values: "fo", longValues: ["format", "output"], isHarmless: true }],
  ["nice", { values: "n", longValues: ["adjustment"], isHarmless: true }],
  ["timeout", { values: "sk", longValues: ["signal", "kill-after"], operands: 1, isHarmless: true }],
  [
    "xargs",
    {
      values: "InPLdEsaJRS",
      longValues: ["arg-file", "delimiter", "max-args", "max-procs", "max-chars", "process-slot-var"],
      addsWords: true,
    },
  ],
  ["stdbuf", { values: "ioe", longValues: ["input", "output", "error"], isHarmless: true }],
  ["sudo", { values: "ugUCDhprtRT", longValues: SUDO_LONG, assigns: true }],
  ["doas", { values: "uC" }],
  ["caffeinate", { values: "tw" }],
  ["setsid", {}],
  ["ionice", { values: "cnpPu", longValues: ["class", "classdata", "pid", "pgid", "uid"], isHarmless: true }],
  ["chroot", { longValues: ["userspec", "groups"], operands: 1 }],
  [
    "unshare",
    { values: "SGRw", longValues: ["root", "wd", "setuid", "setgid", "map-user", "map-group", "propagation"] },
  ],
  [
    "script",
    {
      values: "IOBTmEo",
      longValues: ["log-in", "log-out", "log-io", "log-timing", "logging-format", "echo", "output-limit"],
      scriptOptions: ["c", "command"],
      readsScript: true,
    },
  ],
  ["watch", { values: "nqs", longValues: ["interval", "equexit", "shotsdir"], joinsScript: true }],
  [
    "parallel",
    {
      values: "jaINnLSPd",
      longValues: ["jobs", "arg-file", "max-args", "delimiter", "colsep", "joblog", "results", "sshlogin"],
      joinsScript: true,
      addsWords: true,
      readsScript: true,
    },
  ],
  ["busybox", {}],
  ["toybox", {}],
]);

/** Shells that take a script with `-c` or from their input. */
export const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "rbash", "mksh"]);

/** Builtins that run code nobody can see in the script (SH-13). */
export const UNVERIFIED_BUILTINS: ReadonlySet<string> = new Set(["eval", "source", "."]);

/** Builtins that change what later words mean (SH-61), apart from assignments. */
export const MEANING_BUILTINS: ReadonlySet<string> = new Set([
  "alias",
  "unalias",
  "hash",
  "enable",
  "set",
  "shopt",
  "trap",
  "exec",
  "complete",
  "bind",
  "popd",
  "dirs",
]);

/** Builtins whose operands are variables they assign or remove. */
export const ASSIGNING_BUILTINS: ReadonlySet<string> = new Set([
  "export",
  "declare",
  "typeset",
  "local",
  "readonly",
  "read",
  "mapfile",
  "readarray",
  "unset",
  "getopts",
  "let",
]);

/** Variables that change nothing about which program a word starts. */
export const HARMLESS_VARIABLE: RegExp = /^(LANG|LC_[A-Z]+|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CI)$/;

/** Builtins of Bash that a rule's bare name may mean. */
export const BUILTINS: ReadonlySet<string> = new Set([
  ":",
  "true",
  "false",
  "echo",
  "printf",
  "pwd",
  "test",
  "[",
  "cd",
  "pushd",
  "type",
  "kill",
  "wait",
  "jobs",
  "umask",
  "ulimit",
  "times",
  "return",
  "exit",
  "break",
  "continue",
  "shift",
  "command",
  "builtin",
  "time",
]);
