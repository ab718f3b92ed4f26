import type { YAMLParseError } from "yaml";
import type { Mistake, Problem } from "../problem.ts";
import { badStart, tokenLength } from "./scalar-start.ts";
import type { Trap } from "./trap.ts";
import { lineEnd } from "./yaml-lines.ts";

/** Codes of parser errors that do not affect how the rest of the file is read. */
export const LOCAL = new Set(["BAD_SCALAR_START", "BAD_DQ_ESCAPE"]);

/**
 * Problems that do not affect how the rest of the file is read, at most one per line.
 *
 * @param repeatedKeys Offsets of duplicate keys of maps.
 */
export function localProblems(
  errors: readonly YAMLParseError[],
  repeatedKeys: readonly number[],
  text: string,
  place: (start: number, end: number, mistake: Mistake) => Problem,
): Problem[] {
  const byLine = new Map<number, Problem>();
  const local = errors.filter(({ code }) => LOCAL.has(code));
  const traps = [
    ...local.map((error) => explainLocal(error, text)),
    ...repeatedKeys.map((start) => repeatedKey(start, text)),
  ];
  for (const { start, end, mistake } of traps) {
    const problem = place(start, end, mistake);
    if (!byLine.has(problem.line)) byLine.set(problem.line, problem);
  }
  return [...byLine.values()];
}

function explainLocal(error: YAMLParseError, text: string): Trap {
  const [start] = error.pos;
  const line = text.slice(start, lineEnd(text, start)).trimEnd();
  if (error.code === "BAD_SCALAR_START") {
    return { start, end: start + tokenLength(line), mistake: badStart(line) };
  }
  return badEscape(text, start);
}

function repeatedKey(start: number, text: string): Trap {
  const line = text.slice(start, lineEnd(text, start)).trimEnd();
  const key = /^[^:\s]+/.exec(line)?.[0] ?? line;
  const message = `"${key}" appears twice in this map`;
  const help = `keep one of the two "${key}"`;
  return { start, end: start + key.length, mistake: { code: "duplicate-key", message, help } };
}

function badEscape(text: string, at: number): Trap {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const line = text.slice(lineStart, lineEnd(text, at));
  const quoted = [...line.matchAll(/"((?:\\.|[^"\\])*)"/g)].find(
    (one) => lineStart + one.index <= at && at < lineStart + one.index + one[0].length,
  );
  const escape = text.slice(at, at + 2);
  const help =
    quoted?.[1] === undefined
      ? `write the backslash twice: \\${escape}`
      : `use single quotes: '${quoted[1].replaceAll("'", "''")}'`;
  const message = `"${escape}" is not an escape in double quotes`;
  return { start: at, end: at + 2, mistake: { code: "bad-escape", message, help } };
}
