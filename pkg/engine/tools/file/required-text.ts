// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

/**
 * A text that is in every match of an expression, for passing over files that can't hold one; `undefined`
 * when none is sure. Only plain expressions are looked into: no groups, alternatives or classes.
 */
export function requiredText(expression: string): string | undefined {
  if (/[()|[\]]/.test(expression)) return undefined;
  let best = "";
  let run = "";
  const end = (): void => {
    if (run.length > best.length) best = run;
    run = "";
  };
  for (let at = 0; at < expression.length; at++) {
    const char = expression.charAt(at);
    if (char === "\\") {
      const escaped = expression.charAt(++at);
      if (/[bBdDsSwW]/.test(escaped)) end();
      else if (/[.*+?^${}\\/-]/.test(escaped)) run += escaped;
      else return undefined;
    } else if (char === "*" || char === "?" || char === "{") {
      run = run.slice(0, -1); // what stands before it may be absent
      end();
      if (char === "{") at = expression.indexOf("}", at);
      if (at < 0) return undefined;
    } else if (/[ -~]/.test(char) && !/[.+^$]/.test(char)) run += char;
    else end();
  }
  end();
  return best === "" ? undefined : best;
}
