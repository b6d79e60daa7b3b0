// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The Blitz Authors

import type { JsonObject } from "@blitz/api";
import { printable } from "../../output/output.js";

/** A tool's result for a person. */
export interface ResultText {
  readonly failed: boolean;
  /** One short line; "" when there is nothing to say. */
  readonly summary: string;
  /** All of it, made safe to print. */
  readonly whole: string;
}

const LONGEST_SUMMARY: number = 100;

/** Words for a result: its error, else how much text it brought (TUI-04). */
export function resultText(result: JsonObject): ResultText {
  const whole = Object.entries(result)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
      return text.includes("\n") ? `${name}:\n${text.replace(/\n$/, "")}` : `${name}: ${text}`;
    })
    .join("\n");
  const { error, exit_code: exitCode } = result;
  const failed = typeof error === "string" || (typeof exitCode === "number" && exitCode !== 0);
  return { failed, summary: printable(summaryOf(result)), whole: printable(whole) };
}

function summaryOf(result: JsonObject): string {
  const { error, exit_code: exitCode } = result;
  if (typeof error === "string") return shortened(error);
  const text = Object.values(result).find((value) => typeof value === "string" && value !== "");
  const first = typeof text === "string" ? shortened(text) : "";
  const lines = typeof text === "string" ? text.trimEnd().split("\n").length : 0;
  const more = lines > 1 ? ` (+${lines - 1})` : "";
  const code = typeof exitCode === "number" && exitCode !== 0 ? `exit ${exitCode}${first === "" ? "" : " · "}` : "";
  return `${code}${first}${more}`;
}

function shortened(text: string): string {
  const points = [...(text.trimStart().split("\n")[0] ?? "")];
  return points.length <= LONGEST_SUMMARY ? points.join("") : `${points.slice(0, LONGEST_SUMMARY - 1).join("")}…`;
}
