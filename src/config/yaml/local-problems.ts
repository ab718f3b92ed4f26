import type { YAMLParseError } from "yaml";
import type { Mistake, Problem } from "../problem.ts";
import { badStart, tokenLength } from "./scalar-start.ts";
import type { Trap } from "./trap.ts";
import { lineEnd } from "./yaml-lines.ts";

/** Mistakes that leave the meaning of the rest of the file intact. */
export const LOCAL = new Set(["BAD_SCALAR_START", "DUPLICATE_KEY", "BAD_DQ_ESCAPE"]);

/** The mistakes that hide nothing, one to a line. */
export function localProblems(
  errors: readonly YAMLParseError[],
  text: string,
  place: (start: number, end: number, mistake: Mistake) => Problem,
): Problem[] {
  const byLine = new Map<number, Problem>();
  for (const error of errors) {
    if (!LOCAL.has(error.code)) continue;
    const { start, end, mistake } = explainLocal(error, text);
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
  if (error.code === "BAD_DQ_ESCAPE") return badEscape(text, start);
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
  const message = `"${escape}" means nothing in double quotes`;
  return { start: at, end: at + 2, mistake: { code: "bad-escape", message, help } };
}
