// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** What commands may touch, as real paths that exist (SH-21). */
export interface SandboxSpec {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly network: boolean;
}

/** What a scan found, ready to be hidden. */
export interface BlockedPaths {
  readonly files: readonly string[];
  readonly dirs: readonly string[];
  /** Directories above blocked places that must not be renamed, or the place would have another name next time. */
  readonly pinned: readonly string[];
}

/**
 * Arguments of bubblewrap before the command (SH-23, 63): everything read-only, then the places in
 * order of depth, so the deepest decides; what is blocked comes last and wins. Paths are real paths:
 * newer versions refuse to mount on a link (SH-64).
 */
export function bubblewrapArguments(spec: SandboxSpec, blocked: BlockedPaths, hasPidNamespace: boolean): string[] {
  const args = ["--die-with-parent", "--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev"];
  if (hasPidNamespace) args.push("--unshare-pid", "--proc", "/proc");
  const places = [
    ...[...spec.writable, ...pinnedIn(spec, blocked)].map((path) => ({ path, flag: "--bind" })),
    ...spec.readOnly.map((path) => ({ path, flag: "--ro-bind" })),
  ];
  // A stable sort: of the same path, read-only comes later and wins.
  places.sort((a, b) => depthOf(a.path) - depthOf(b.path));
  for (const { path, flag } of places) args.push(flag, path, path);
  for (const dir of blocked.dirs) args.push("--tmpfs", dir, "--remount-ro", dir);
  for (const file of blocked.files) args.push("--ro-bind", "/dev/null", file);
  if (!spec.network) args.push("--unshare-net");
  return args;
}

/** Pinned directories that would be writable: a mount of their own makes renaming them fail. */
function pinnedIn(spec: SandboxSpec, { pinned }: BlockedPaths): readonly string[] {
  return pinned.filter((path) => {
    const above = [
      ...spec.writable.map((root) => ({ root, isWritable: true })),
      ...spec.readOnly.map((root) => ({ root, isWritable: false })),
    ]
      .filter(({ root }) => path.startsWith(root === "/" ? "/" : `${root}/`))
      .sort((a, b) => depthOf(b.root) - depthOf(a.root));
    return above[0]?.isWritable === true;
  });
}

function depthOf(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}
