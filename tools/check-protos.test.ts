// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { checkProtos, formatProtos } from "./check-protos.ts";
import { plantTree } from "./fixture-tree.ts";
import { finish } from "./report.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const FILE = "proto/blitz/v1/greet.proto";
const GREET = `// Says hello.
syntax = "proto3";

package blitz.v1;

// Says hello.
service GreetService {
  // Says hello to one person.
  rpc Greet(GreetRequest) returns (GreetResponse);
}

// Asks Greet.
message GreetRequest {
  // Whom to greet.
  string name = 1;
  // The language.
  string locale = 2;
}

// Answers Greet.
message GreetResponse {
  // What was said.
  string text = 1;
}
`;
const SILENT = GREET.replace("  // Says hello to one person.\n", "");
const CROOKED = GREET.replace("string name = 1", "string   name = 1");
const SHORTER = GREET.replace("  // The language.\n  string locale = 2;\n", "");

/** A git repository with a proto in it. */
interface Repository extends Disposable {
  readonly root: string;
  write(text: string): void;
  git(...args: readonly string[]): string;
  commit(message: string): void;
}

function repositoryOf(text: string): Repository {
  const tree = plantTree({ "proto/buf.yaml": readFileSync(path.join(ROOT, "proto/buf.yaml"), "utf8"), [FILE]: text });
  const git = (...args: readonly string[]): string => {
    const who = ["-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"];
    const done = spawnSync("git", [...who, ...args], { cwd: tree.root, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
    return done.stdout.trim();
  };
  const commit = (message: string): void => {
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
  };
  git("init", "-q", "-b", "main");
  commit("greet");
  const write = (changed: string): void => writeFileSync(path.join(tree.root, FILE), changed);
  return { root: tree.root, write, git, commit, [Symbol.dispose]: () => tree[Symbol.dispose]() };
}

/** `origin/main` as a fetch would leave it, at HEAD. */
const land = ({ git }: Repository): string => git("update-ref", "refs/remotes/origin/main", "HEAD");

const rulesOf = (root: string): readonly string[] => checkProtos(root).problems.map(({ rule }) => rule);

describe("checkProtos", () => {
  it("passes a clean tree, and says when nothing has landed (PRT-02)", () => {
    using repository = repositoryOf(GREET);
    expect(checkProtos(repository.root)).toEqual({ files: 1, problems: [], note: "nothing landed to compare with" });
  });

  it("fails an RPC without a comment (PRT-02)", () => {
    using repository = repositoryOf(SILENT);
    expect(checkProtos(repository.root).problems).toMatchObject([{ file: FILE, line: 8, rule: "COMMENT_RPC" }]);
  });

  it("fails a badly formatted file, and --write mends it (SVC-40)", () => {
    using repository = repositoryOf(CROOKED);
    expect(checkProtos(repository.root).problems).toMatchObject([{ file: FILE, rule: "format" }]);
    expect(formatProtos(repository.root)).toBe(0);
    expect(readFileSync(path.join(repository.root, FILE), "utf8")).toBe(GREET);
  });

  it("fails where there are no protos at all (MR-16)", () => {
    using repository = repositoryOf(GREET);
    rmSync(path.join(repository.root, FILE));
    const report = checkProtos(repository.root);
    expect(report.files).toBe(0);
    expect(finish("protos", report)).toBe(1);
  });

  it("fails without settings, which would leave buf to rules of its own", () => {
    using repository = repositoryOf(GREET);
    rmSync(path.join(repository.root, "proto/buf.yaml"));
    expect(rulesOf(repository.root)).toEqual(["settings"]);
  });

  it("names the place in a file that doesn't parse, once", () => {
    using repository = repositoryOf(GREET.replace("string text = 1;", "string text = 1"));
    expect(checkProtos(repository.root).problems).toMatchObject([{ file: FILE, rule: "COMPILE" }]);
  });
});

describe("the comparison with what has landed (SVC-40, SVC-41)", () => {
  it("fails a field removed by the last change of the protos, whatever came after", () => {
    using repository = repositoryOf(GREET);
    repository.write(SHORTER);
    repository.commit("greet in one language");
    writeFileSync(path.join(repository.root, "README.md"), "Hello.\n");
    repository.commit("readme");
    const [problem, ...others] = checkProtos(repository.root).problems;
    expect(problem).toMatchObject({ file: FILE, line: 13, rule: "FIELD_NO_DELETE" });
    expect(problem?.text).toContain("Breaking-API: <why>");
    expect(others).toEqual([]);
  });

  it("passes a break that a commit message declares, and says why", () => {
    using repository = repositoryOf(GREET);
    repository.write(SHORTER);
    repository.commit("greet in one language\n\nBreaking-API: nobody set the language");
    const report = checkProtos(repository.root);
    expect(report.problems).toEqual([]);
    expect(report.note).toMatch(/^compared with [0-9a-f]{8}, 1 break declared: nobody set the language$/);
  });

  it("says that it compared nothing where there is no git", () => {
    using tree = plantTree({
      [FILE]: GREET,
      "proto/buf.yaml": readFileSync(path.join(ROOT, "proto/buf.yaml"), "utf8"),
    });
    expect(checkProtos(tree.root)).toEqual({ files: 1, problems: [], note: "nothing landed to compare with" });
  });

  it("takes no declaration without a reason, nor one inside a line", () => {
    using repository = repositoryOf(GREET);
    repository.write(SHORTER);
    repository.commit("greet\n\nBreaking-API:\nNo Breaking-API: at all");
    expect(rulesOf(repository.root)).toEqual(["FIELD_NO_DELETE"]);
  });

  it("sees a break that isn't committed yet", () => {
    using repository = repositoryOf(GREET);
    land(repository);
    repository.commit("something else");
    repository.write(SHORTER);
    expect(rulesOf(repository.root)).toEqual(["FIELD_NO_DELETE"]);
  });

  it("fails a file that is gone", () => {
    using repository = repositoryOf(GREET);
    land(repository);
    mkdirSync(path.join(repository.root, "proto/blitz/v2"));
    repository.git("mv", FILE, "proto/blitz/v2/greet.proto");
    writeFileSync(path.join(repository.root, "proto/blitz/v2/greet.proto"), GREET.replace("blitz.v1", "blitz.v2"));
    repository.commit("greet, again");
    expect(checkProtos(repository.root).problems).toMatchObject([{ file: "proto", line: 0, rule: "FILE_NO_DELETE" }]);
  });

  it("compares with origin's main where HEAD left it: every change since counts", () => {
    using repository = repositoryOf(GREET);
    const { git } = repository;
    git("update-ref", "refs/remotes/origin/main", git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "theirs"));
    repository.write(SHORTER);
    repository.commit("greet in one language");
    repository.write(SHORTER.replace("// The language.", "// Its language."));
    repository.commit("another change of the protos");
    expect(rulesOf(repository.root)).toEqual(["FIELD_NO_DELETE"]);
  });

  it("takes no declaration that has landed before", () => {
    using repository = repositoryOf(GREET);
    repository.commit("greet\n\nBreaking-API: an older one");
    land(repository);
    repository.write(SHORTER);
    repository.commit("greet in one language");
    expect(rulesOf(repository.root)).toEqual(["FIELD_NO_DELETE"]);
  });

  it("compares with the last change when HEAD is origin's main", () => {
    using repository = repositoryOf(GREET);
    repository.write(SHORTER);
    repository.commit("greet in one language");
    land(repository);
    expect(rulesOf(repository.root)).toEqual(["FIELD_NO_DELETE"]);
  });

  it("leaves the checkout and its index as they are", () => {
    using repository = repositoryOf(GREET);
    land(repository);
    repository.commit("something else");
    repository.write(CROOKED);
    const before = repository.git("status", "--porcelain");
    checkProtos(repository.root);
    expect(repository.git("status", "--porcelain")).toBe(before);
  });
});
