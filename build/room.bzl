# SPDX-License-Identifier: Apache-2.0
# Copyright 2026 The Blitz Authors

"""`room`: one folder of TypeScript with one door, as Bazel targets.

A room is compiled against what it declares and nothing else, so an import outside `deps` is a failed
build. `tools/tidy.ts` writes the calls; docs/architecture/architecture.md says what a room is.
"""

load("@aspect_rules_ts//ts:defs.bzl", "ts_project")
load("@npm//:vitest/package_json.bzl", vitest = "bin")

_TESTS = ["**/*.test.ts"]
_TESTING = ["**/testing/**/*.ts", "test/**/*.ts"]

def _compile(name, srcs, deps, **kwargs):
    """A type-checked `ts_project` whose generated tsconfig lists exactly `srcs`."""
    ts_project(
        name = name,
        srcs = srcs,
        declaration = True,
        extends = "//:tsconfig",
        resolve_json_module = True,
        transpiler = "tsc",
        tsconfig = {"compilerOptions": {"declaration": True, "resolveJsonModule": True}},
        deps = deps,
        **kwargs
    )

def room(
        name,
        package_json,
        deps = [],
        testing_deps = [],
        test_deps = [],
        test_data = [],
        test_tags = [],
        test_size = "medium",
        visibility = ["//visibility:private"]):
    """Compiles a room, the fakes behind its second door, and its tests; runs the tests with vitest.

    Args:
        name: the room's name: the target other rooms depend on.
        package_json: the `js_library` of the npm package the room is in (it makes its files ES modules).
        deps: what the sources may import: other rooms and linked npm packages.
        testing_deps: what the files under `testing/` import beyond `deps`; they make `<name>_testing`.
        test_deps: what the tests import beyond `deps`.
        test_data: files and folders the tests read while they run.
        test_tags: tags of the test target, e.g. to run it outside Bazel's sandbox.
        test_size: how long the tests may take, in Bazel's sizes.
        visibility: who may import the room.
    """
    _compile(
        name,
        srcs = native.glob(["**/*.ts"], exclude = _TESTS + _TESTING),
        visibility = visibility,
        deps = deps + [package_json],
    )
    own = [":" + name]

    testing = native.glob(_TESTING, exclude = _TESTS, allow_empty = True)
    if testing:
        _compile(
            name + "_testing",
            srcs = testing,
            testonly = True,
            visibility = ["//:__subpackages__"],
            deps = depset(own + deps + testing_deps + [package_json]).to_list(),
        )
        own = own + [":%s_testing" % name]

    tests = native.glob(_TESTS, allow_empty = True)
    if tests:
        _compile(
            name + "_tests",
            srcs = tests,
            testonly = True,
            deps = depset(own + deps + test_deps + [package_json]).to_list(),
        )
        vitest.vitest_test(
            name = "test",
            size = test_size,
            args = ["run", "--config", "build/vitest.bazel.mjs", "--dir", native.package_name()],
            data = [
                ":%s_tests" % name,
                "//:node_modules/vitest",
                "//build:test_setup",
                "//:package_json",
            ] + test_data,
            # The tests are about files: they get Node's own file functions, not the rules' version of them.
            patch_node_fs = False,
            tags = test_tags,
        )
