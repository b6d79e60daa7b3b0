# SPDX-License-Identifier: Apache-2.0
# Copyright 2026 The Blitz Authors

"""`blitz_package`: a first-party package as others see it, linked into their `node_modules`."""

load("@aspect_rules_js//npm:defs.bzl", "npm_package")

def _published_manifest_impl(ctx):
    out = ctx.actions.declare_file("published/package.json")

    # The package holds what was compiled. Node doesn't fall through to the next condition when a file
    # is missing, so the condition that names the sources must not be met here.
    ctx.actions.expand_template(
        template = ctx.file.src,
        output = out,
        substitutions = {"\"blitz-source\":": "\"not-packed\":"},
    )
    return DefaultInfo(files = depset([out]))

_published_manifest = rule(
    implementation = _published_manifest_impl,
    attrs = {"src": attr.label(allow_single_file = [".json"], mandatory = True)},
)

def blitz_package(name, srcs, visibility):
    """Packs compiled files with a `package.json` that names no sources.

    Args:
        name: the target; `npm_link_all_packages` of the users expects `pkg`.
        srcs: the compiled room.
        visibility: the packages that declare this one as a dependency.
    """
    _published_manifest(
        name = name + "_manifest",
        src = "package.json",
    )
    npm_package(
        name = name,
        srcs = srcs + [":%s_manifest" % name],
        # The room brings the manifest it was compiled with; this one takes its place.
        exclude_srcs_patterns = [
            "**/node_modules/**",
            "package.json",
        ],
        replace_prefixes = {"published/": ""},
        visibility = visibility,
    )
