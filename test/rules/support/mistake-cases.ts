import { readFileSync } from "node:fs";
import type { Problem } from "../../../src/config/problem.ts";

/** A text with mistakes. The line below each mistake has its position, its code and the correct text. */
export interface MistakeCase {
  readonly title: string;
  /** The whole rule file. */
  readonly text: string;
  /** The whole rule file with a line `^~~ code: help` below each wrong line. */
  readonly annotated: string;
}

/** Reads a file of cases; each begins with `## ` and its title. */
export function mistakeCases(file: string): MistakeCase[] {
  const content = readFileSync(new URL(`../compile/mistakes/${file}`, import.meta.url), "utf8");
  return content.split(/^## /m).slice(1).map(oneCase);
}

const NOTE = /^\s*\^~* [a-z-]+(?: \(warning\))?: /;

function oneCase(source: string): MistakeCase {
  const [title = "", ...rest] = source.trimEnd().split("\n");
  const lines = rest.some((line) => /^(version|rules|- version)\b/.test(line))
    ? rest
    : inRule(rest);
  const text = lines.filter((line) => !NOTE.test(line)).join("\n");
  return { title, text: `${text}\n`, annotated: lines.join("\n") };
}

/** Completes lines to a rule that answers messages, unless the lines set other keys. */
function inRule(lines: readonly string[]): string[] {
  const has = (key: string) => lines.some((line) => line.startsWith(`${key}:`));
  return [
    "version: 1",
    "rules:",
    "  - id: faq",
    ...(has("triggers") ? [] : ["    triggers: [dm.received]"]),
    ...lines.map((line) => (line === "" ? "" : `    ${line}`)),
    ...(has("actions") ? [] : ["    actions: [{reply_dm: hi}]"]),
  ];
}

/** Pattern of a help that lists available words; the words themselves are not compared. */
const LISTED =
  /^(known here|steps without a value|write one of|a step has one of|there are|functions|triggers that carry it|.* carries|.* has|operators for a \w+): .*/;

/** Adds a line below each line of `text` with a problem. */
export function annotate(text: string, problems: readonly Problem[]): string {
  const lines = text.trimEnd().split("\n");
  const notes = problems.map((problem) => {
    const before = (lines[problem.line - 1] ?? "").slice(0, problem.column - 1);
    const indent = before.padEnd(problem.column - 1).replaceAll(/[^\t]/g, " ");
    const severity = problem.severity === "warning" ? " (warning)" : "";
    const caret = `^${"~".repeat(problem.length - 1)}`;
    const help = (problem.help ?? "").replace(LISTED, "$1: …");
    return { problem, note: `${indent}${caret} ${problem.code}${severity}: ${help}` };
  });
  return lines
    .flatMap((line, index) => [
      line,
      ...notes.filter(({ problem }) => problem.line === index + 1).map(({ note }) => note),
    ])
    .join("\n");
}
