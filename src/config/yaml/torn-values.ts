import type { YAMLParseError } from "yaml";
import type { Mistake } from "../problem.ts";
import { badStart } from "./scalar-start.ts";
import { covered, shortened, type Torn } from "./torn.ts";
import { beginsValue, endOfQuote, type Line } from "./yaml-lines.ts";

/** Finds a value that ends before its line does: a text that begins with a quote, a bracket, `*` or `?`. */
export function textAfterValue(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  if (!line) return undefined;
  for (let at = 0; at < line.text.length; at++) {
    if (!/["'[{*?]/.test(line.text[at] ?? "") || !beginsValue(line.text.slice(0, at))) continue;
    const isInExpression = /\$\{\{(?!.*\}\})/.test(line.text.slice(0, at));
    if (isInExpression) continue;
    const inBrackets = /[[{]/.test(line.text.slice(0, at));
    const value = valueFrom(line.text, at, inBrackets);
    if (value === undefined) continue;
    const { whole, rest } = value;
    const start = line.start + at;
    return covered(start, start + whole.length, mistakeOf(whole, rest));
  }
  return undefined;
}

interface Value {
  /** The text that the author meant. */
  readonly whole: string;
  /** Part of the text that YAML does not read as part of the value. */
  readonly rest: string;
}

/** Returns the value that begins at `start` if text follows the part of it that YAML reads. */
function valueFrom(line: string, start: number, inBrackets: boolean): Value | undefined {
  const end = endOfValue(line, start);
  if (end === undefined) return undefined;
  const after = line.slice(end + 1);
  if (line[start] !== "?" && /^\s*(?:$|:|\s#|[}\]]+$)/.test(after)) return undefined;
  const isItem = /^\s*[,}\]]|^\s+(?:(["']).*?\1\s*[,}\]]|[\w.]+:\s)/.test(after);
  if (inBrackets && isItem) return undefined;
  const mark = line[start] ?? "";
  const length = inBrackets ? lengthInBrackets(after, mark) : after.trimEnd().length;
  return { whole: line.slice(start, end + 1 + length), rest: after.slice(0, length).trim() };
}

/** Offset of the last character that YAML reads as part of the value. */
function endOfValue(line: string, start: number): number | undefined {
  const mark = line[start] ?? "";
  if (mark === '"' || mark === "'") return endOfQuote(line, start);
  if (mark === "*") return start + (/^\*[^\s,[\]{}]+/.exec(line.slice(start))?.[0].length ?? 1) - 1;
  if (mark === "?") return /^\?(?:\s|$)/.test(line.slice(start)) ? start : undefined;
  let depth = 0;
  for (let at = start; at < line.length; at++) {
    const char = line[at] ?? "";
    if ((char === '"' || char === "'") && beginsValue(line.slice(0, at))) {
      at = endOfQuote(line, at) ?? line.length;
    } else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return undefined;
}

/** Returns how much of `after` belongs to a text inside { } or [ ]: up to the next item or the closing bracket. */
function lengthInBrackets(after: string, mark: string): number {
  const isQuoted = mark === '"' || mark === "'";
  const closing = isQuoted ? new RegExp(`${mark}(?=\\s*[,}\\]])`).exec(after) : null;
  if (closing) return closing.index + 1;
  let depth = 0;
  for (let at = 0; at < after.length; at++) {
    const char = after[at] ?? "";
    if (char === "[" || char === "{") depth += 1;
    if (char === "]" || char === "}") depth -= 1;
    const isNext = depth === 0 && /^,\s*[\w.]+:\s/.test(after.slice(at));
    if (depth < 0 || isNext) return after.slice(0, at).trimEnd().length;
  }
  return after.trimEnd().length;
}

function mistakeOf(whole: string, rest: string): Mistake {
  const mark = whole.slice(0, 1);
  if (mark === "*" || mark === "?") return badStart(whole);
  if (whole.startsWith("{{")) {
    const expression = JSON.stringify(whole.replaceAll(/(?<!\$)\{\{/g, "${{"));
    return { ...OTHER_TEMPLATE, help: `write ${expression}` };
  }
  if (mark === "[" || mark === "{") {
    return {
      code: "bracket-in-text",
      message: `the ${mark === "[" ? "list" : "map"} ends before ${shortened(rest)}`,
      help: withoutRest(rest) ?? `quote the whole text: ${JSON.stringify(whole)}`,
    };
  }
  const isWhole = whole.length > 1 && whole.endsWith(mark);
  const inner = whole.slice(1, -1);
  const words = mark === "'" ? inner.replaceAll("\\'", "'") : inner;
  const quoted = isWhole ? JSON.stringify(words) : `'${whole.replaceAll("'", "''")}'`;
  return {
    code: "text-after-quote",
    message: `the quoted text ends before ${shortened(rest)}`,
    help: withoutRest(rest) ?? `quote the whole text: ${quoted}`,
  };
}

function withoutRest(rest: string): string | undefined {
  if (rest.startsWith("#")) return "write a space before the #";
  return /^[;,]$/.test(rest) ? `remove the ${rest}` : undefined;
}

/** Finds an unquoted text inside { } or [ ] with a bracket in it, such as the pattern `^[a-z]+$`. */
export function bracketInText(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  if (!line || !/^Unexpected flow-(?:map|seq)-start at node end/.test(error.message)) {
    return undefined;
  }
  const at = error.pos[0] - line.start;
  const [before = ""] = /[^\s,[\]{}:][^,[\]{}]*$/.exec(line.text.slice(0, at)) ?? [];
  const words = before.replace(/^[\w.]+: +/, "");
  const rest = line.text.slice(at);
  const whole = words + rest.slice(0, lengthInBrackets(rest, ""));
  const start = line.start + at - words.length;
  return covered(start, start + whole.length, {
    code: "bracket-in-text",
    message: `the bracket ends the text ${shortened(words)}`,
    help: `quote the whole text: '${whole.replaceAll("'", "''")}'`,
  });
}

/** Mistake of an unquoted `{{ name }}`. */
export const OTHER_TEMPLATE = {
  code: "other-template",
  message: "{{ }} is a map inside a map in YAML, not an expression",
};
