// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/** Variables of an environment; an undefined one isn't set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A child's environment: the base and what is added, without the variables that match a scrub pattern
 * (`*` is any text, letters in any case), and with the working directory's name as it is.
 */
export function childEnvironment(
  base: Environment,
  added: Environment,
  scrub: readonly string[],
  cwd: string,
): Record<string, string> {
  const patterns = scrub.map(nameExpression);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...base, ...added })) {
    if (value !== undefined && !patterns.some((pattern) => pattern.test(name))) environment[name] = value;
  }
  delete environment["OLDPWD"];
  environment["PWD"] = cwd;
  return environment;
}

function nameExpression(pattern: string): RegExp {
  const escaped = pattern.trim().replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\*+/g, ".*").replaceAll("?", ".")}$`, "i");
}
