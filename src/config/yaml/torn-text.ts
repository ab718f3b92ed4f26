import type { YAMLParseError } from "yaml";
import type { Mistake } from "../problem.ts";
import { badStart } from "./scalar-start.ts";
import { covered, type Torn, trap } from "./torn.ts";
import { beginningOf, lineEnd, type Line, openAtEnd } from "./yaml-lines.ts";

/** Code of a value that YAML cuts at its `#`. */
export const CUT_TEXT = "text-cut-by-comment";

/** Creates the mistake for the unquoted value `whole` with a `#`: YAML reads only `keptText`, and the rest as a comment. */
export function cutText(keptText: string, whole: string): Mistake {
  const remainderText = keptText === "" ? "nothing is left" : `only "${keptText}" is left`;
  return {
    code: CUT_TEXT,
    message: `everything from "#" on is a YAML comment: of this value ${remainderText}`,
    help: `quote the whole value: ${quoted(whole)}`,
  };
}

/** Writes a text as a YAML value, in single quotes if double quotes are in it. */
export function quoted(text: string): string {
  return text.includes('"') ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text);
}

export const COLON_IN_TEXT = {
  code: "colon-in-text",
  message: '": " inside unquoted text starts a map in YAML',
};

/** Finds a line of a quoted text that is indented too little to belong to it. */
export function outsideQuote(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  const own = line && beginningOf(line.text);
  const { quote } = openAtEnd(line?.text ?? "");
  if (!own || quote === undefined || !error.message.startsWith("Missing closing")) return undefined;
  const start = lineEnd(text, line.start) + 1;
  const next = text.slice(start, lineEnd(text, start));
  const words = next.trim();
  if (!words.endsWith(line.text[quote] ?? "")) return undefined;
  return trap(start + next.length - next.trimStart().length, start + next.length, {
    code: "mis-indented",
    message: `this line is too far to the left for the text that begins in line ${line.number}`,
    help: `start it in column ${own.inner + 3}`,
  });
}

/** Finds a quote that is not closed in its line, so that YAML reads the next line as part of the quoted text. */
export function openQuote(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  for (const line of up) {
    const { quote } = openAtEnd(line.text);
    const next = text.slice(line.start + line.text.length).trimStart();
    if (quote === undefined || (next !== "" && !/^(- )?[\w.]+:(\s|$)/.test(next))) continue;
    const written = line.text.slice(quote).trimEnd();
    const mark = written.slice(0, 1);
    return covered(line.start + quote, line.start + quote + written.length, {
      code: "quote-not-closed",
      message: `the text that begins with ${mark} here has no end`,
      help: `end it: ${written}${mark}`,
    });
  }
  return undefined;
}

export function blockHeader(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  const [, before, value] =
    /^(\s*(?:- )*[\w.]+: +)([>|](?:[+-]?\d? +[^\s#]|[^\s#+\-\d]).*)$/.exec(
      line?.text.trimEnd() ?? "",
    ) ?? [];
  if (!line || before === undefined || value === undefined) return undefined;
  const start = line.start + before.length;
  return covered(start, start + value.length, badStart(value));
}

export function blankAfterColon(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  const [, before, key, value] =
    /^(\s*(?:- )?)([a-z_]+):(?!\/\/)([^\s:].*)$/.exec(line?.text ?? "") ?? [];
  if (!line || before === undefined || key === undefined || value === undefined) return undefined;
  const start = line.start + before.length;
  return trap(start, start + key.length + 1, {
    code: "blank-after-colon",
    message: `"${key}:" needs a space after its colon`,
    help: `write ${key}: ${value.trim()}`,
  });
}

export function colonInText(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  // a text below its key, with a line that looks like a key
  const isBelow = error.code === "MULTILINE_IMPLICIT_KEY" && /:\s*$/.test(up[1]?.text ?? "");
  if (error.code !== "BLOCK_AS_IMPLICIT_KEY" && !isBelow) return undefined;
  const [start] = error.pos;
  const end = lineEnd(text, start);
  const first = text.slice(start, end).trimEnd();
  if (first === "" || /^\S*:$|\?$/.test(first)) return undefined;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const ownIndent = (/^ */.exec(text.slice(lineStart))?.[0].length ?? 0) - (isBelow ? 1 : 0);
  let whole = first;
  let last = end;
  for (let next = last + 1; next < text.length && last < next; next = last + 1) {
    const line = text.slice(next, lineEnd(text, next));
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    if (line.trim() === "" || indent <= ownIndent || beginningOf(line)?.isItem === true) break;
    if (indent === ownIndent + 2 && /^\s*[a-z_]+:/.test(line)) break;
    whole += ` ${line.trim()}`;
    last = lineEnd(text, next);
  }
  const mistake = { ...COLON_IN_TEXT, help: `quote the text: ${JSON.stringify(whole)}` };
  return { start, end: start + first.length, mistake, cover: { start, end: last, fill: "x" } };
}
