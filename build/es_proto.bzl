# SPDX-License-Identifier: Apache-2.0
# Copyright 2026 The Blitz Authors

"""`es_proto`: the protos of a folder as an npm package, and buf's tests of them (MR-12)."""

load("@aspect_rules_js//js:defs.bzl", "js_binary", "js_library", "js_test")
load("@aspect_rules_js//npm:defs.bzl", "npm_package")

def _generated_impl(ctx):
    start = len(ctx.label.package) + 1
    outs = [
        ctx.actions.declare_file("gen/" + proto.short_path[start:].removesuffix(".proto") + ending)
        for proto in ctx.files.protos
        for ending in ["_pb.js", "_pb.d.ts"]
    ]
    ctx.actions.run(
        outputs = outs,
        executable = ctx.executable.generate,
        # The rules' launcher changes into the output tree that it is told of.
        arguments = [ctx.label.package + "/gen"],
        env = {"BAZEL_BINDIR": ctx.bin_dir.path},
        mnemonic = "EsProto",
        progress_message = "Generating code of the protos %{label}",
    )
    return DefaultInfo(files = depset(outs))

# js_run_binary would do the same through a helper program that has to be downloaded.
_generated = rule(
    implementation = _generated_impl,
    attrs = {
        "generate": attr.label(cfg = "exec", executable = True, mandatory = True),
        "protos": attr.label_list(allow_files = [".proto"], mandatory = True),
    },
)

def es_proto(name, visibility = ["//visibility:private"]):
    """Generates JavaScript and types by `generate.mjs`, the program used outside Bazel too.

    `lint_test` judges names and comments, `format_test` the layout. What has landed is in git, which
    a build can't see: breaking changes are found by `tools/check-protos.ts` alone.

    Args:
        name: the npm package; `npm_link_all_packages` of the users expects `pkg`.
        visibility: the packages that declare this one as a dependency.
    """
    protos = native.glob(["blitz/**/*.proto"])

    js_library(
        name = "buf_lib",
        srcs = [
            "buf.mjs",
            "buf.yaml",
        ] + protos,
        # npm's package for this platform, which holds the binary, comes along as a dependency.
        deps = ["//:node_modules/@bufbuild/buf"],
    )

    js_binary(
        name = "generate",
        data = [
            ":buf_lib",
            "//:node_modules/@bufbuild/protoc-gen-es",
        ],
        entry_point = "generate.mjs",
    )

    _generated(
        name = "gen",
        generate = ":generate",
        protos = protos,
    )

    npm_package(
        name = name,
        srcs = [
            "package.json",
            ":gen",
        ],
        visibility = visibility,
    )

    for command, options in {
        "lint": [],
        "format": ["--diff", "--exit-code"],
    }.items():
        js_test(
            name = command + "_test",
            size = "small",
            args = [command, native.package_name()] + options,
            data = [":buf_lib"],
            entry_point = "buf.mjs",
        )
