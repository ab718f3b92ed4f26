import type { YAMLParseError } from "yaml";
import { misIndented } from "./mis-indented.ts";
import type { Mistake, Problem } from "../problem.ts";
import {
  beginningOf,
  endOfQuote,
  lineEnd,
  type Line,
  linesUpFrom,
  openAtEnd,
} from "./yaml-lines.ts";
import type { Trap } from "./trap.ts";

/** A mistake of the text, and what to cover up so that the rest can be read as it is meant. */
export interface Torn extends Trap {
  readonly cover?: { readonly start: number; readonly end: number; readonly fill: "x" | " " };
}

/** Mistakes that leave the meaning of the rest of the file intact. */
const LOCAL = new Set(["BAD_SCALAR_START", "DUPLICATE_KEY", "BAD_DQ_ESCAPE"]);

/** What the first mistake is that hides the rest of the file; `undefined` when there is none. */
export function firstTorn(errors: readonly YAMLParseError[], text: string): Torn | undefined {
  const error = errors.find((one) => !LOCAL.has(one.code));
  return error && explainTorn(error, text);
}

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

type Explain = (error: YAMLParseError, text: string, up: readonly Line[]) => Torn | undefined;

/** In this order: what an earlier one explains looks like something else to a later one. */
const EXPLANATIONS: readonly Explain[] = [
  secondDocument,
  tabIndent,
  openQuote,
  cutInBrackets,
  textAfterQuote,
  blockHeader,
  expressionInBrackets,
  colonInBrackets,
  closingBracket,
  openBracket,
  blankAfterColon,
  indentation,
  colonInText,
];

function explainTorn(error: YAMLParseError, text: string): Torn {
  const up = linesUpFrom(text, error.pos[0], 20);
  for (const explain of EXPLANATIONS) {
    const torn = explain(error, text, up);
    if (torn) return torn;
  }
  const [start, end] = error.pos;
  const line = text.slice(start, lineEnd(text, start));
  const detail = (error.message.split(/ at line \d+/, 1)[0] ?? error.message).trim();
  const message = `this is not YAML: ${detail.slice(0, 1).toLowerCase()}${detail.slice(1)}`;
  const help =
    "if this belongs to a text, put the whole text in quotes; else compare it with the lines above";
  const mistake = { code: "yaml-syntax", message, help };
  return { start, end: Math.max(end, start + tokenLength(line)), mistake };
}

function secondDocument(error: YAMLParseError): Torn | undefined {
  if (error.code !== "MULTIPLE_DOCS") return undefined;
  const [start, end] = error.pos;
  return trap(start, end, {
    code: "second-document",
    message: "one file holds one document",
    help: "remove the line ---, or make two files",
  });
}

function tabIndent(error: YAMLParseError, text: string): Torn | undefined {
  if (error.code !== "TAB_AS_INDENT") return undefined;
  const tab = text.indexOf("\t", error.pos[0]);
  const start = tab < 0 ? error.pos[0] : tab;
  return trap(start, start + 1, {
    code: "tab-indent",
    message: "YAML is indented with spaces, not tabs",
    help: "put two spaces in place of each tab",
  });
}

/** A quote that has no end in its line, where the next line goes on as if it had. */
function openQuote(error: YAMLParseError, text: string, up: readonly Line[]): Torn | undefined {
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

/** A `#` inside { } or [ ]: what follows is a comment, the closing bracket with it. */
function cutInBrackets(error: YAMLParseError, text: string, up: readonly Line[]): Torn | undefined {
  for (const line of up) {
    const { brackets, comment } = openAtEnd(line.text);
    const [closers = ""] = /[}\]\s]*$/.exec(line.text) ?? [];
    if (comment === undefined || brackets.length === 0 || !/[}\]]/.test(closers)) continue;
    const cut = line.text.slice(comment, line.text.length - closers.length);
    const kept = /(?:[{[,]|: )\s*([^{}[\],:]*)$/.exec(line.text.slice(0, comment))?.[1] ?? "";
    const start = line.start + comment;
    return covered(start, start + cut.length, cutText(kept.trim(), cut));
  }
  return undefined;
}

/** The mistake of a text that a comment cuts. */
export function cutText(kept: string, cut: string): Mistake {
  const whole = kept === "" ? cut : `${kept} ${cut}`;
  const left = kept === "" ? "nothing is left" : `only "${kept}" is left`;
  return {
    code: "text-cut-by-comment",
    message: `everything from "#" on is a YAML comment: of this value ${left}`,
    help: `quote the whole value: ${JSON.stringify(whole)}`,
  };
}

function textAfterQuote(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  if (!line) return undefined;
  const [, before, value] = /^(\s*(?:- )*(?:[\w.]+: +)?)(["'].*)$/.exec(line.text.trimEnd()) ?? [];
  if (before === undefined || value === undefined) return undefined;
  const end = endOfQuote(value, 0);
  const rest = end === undefined ? "" : value.slice(end + 1).trim();
  if (rest === "" || rest.startsWith(":") || rest.startsWith("#")) return undefined;
  const start = line.start + before.length;
  const isWhole = value.length > 1 && value.endsWith(value.slice(0, 1));
  const quoted = isWhole ? JSON.stringify(value.slice(1, -1)) : `'${value.replaceAll("'", "''")}'`;
  return covered(start, start + value.length, {
    code: "text-after-quote",
    message: `the quoted text ends before ${shortened(rest)}`,
    help: `quote the whole text: ${quoted}`,
  });
}

function blockHeader(error: YAMLParseError, text: string, up: readonly Line[]): Torn | undefined {
  const line = up[0];
  const [, before, value] =
    /^(\s*(?:- )*[\w.]+: +)([>|](?:[+-]?\d? +[^\s#]|[^\s#+\-\d]).*)$/.exec(
      line?.text.trimEnd() ?? "",
    ) ?? [];
  if (!line || before === undefined || value === undefined) return undefined;
  const start = line.start + before.length;
  return covered(start, start + value.length, badStart(value));
}

/** Brackets around an expression: its own braces are taken for YAML's. */
function expressionInBrackets(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  const found = /(?<!["'].*)[^\s{[,:]*\$\{\{.*?\}\}[^\s},\]]*/.exec(line?.text ?? "");
  if (!line || !found || !/[{[]/.test(line.text.slice(0, found.index))) return undefined;
  const start = line.start + found.index;
  return covered(start, start + found[0].length, {
    code: "unquoted-expression",
    message: "${{ }} inside { } or [ ] must be quoted",
    help: `quote it: ${JSON.stringify(found[0])}`,
  });
}

function colonInBrackets(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  const found = /([{,]\s*[\w.]+: +)([^{}[\],"'\s][^{}[\],]*?: [^{}[\],]*)/.exec(line?.text ?? "");
  if (!line || !found?.[2]) return undefined;
  const value = found[2].trimEnd();
  const start = line.start + found.index + (found[1]?.length ?? 0);
  return covered(start, start + value.length, {
    ...COLON_IN_TEXT,
    help: `quote the text: ${JSON.stringify(value)}`,
  });
}

function closingBracket(error: YAMLParseError, text: string): Torn | undefined {
  const start = error.pos[0];
  const bracket = text[start] ?? "";
  if (bracket !== "}" && bracket !== "]") return undefined;
  if (!error.message.toLowerCase().includes("unexpected")) return undefined;
  return {
    ...trap(start, start + 1, {
      code: "bracket-too-many",
      message: `nothing is open that this ${bracket} could close`,
      help: `remove the ${bracket}, or quote the text that it belongs to`,
    }),
    cover: { start, end: start + 1, fill: " " },
  };
}

function openBracket(error: YAMLParseError, text: string, up: readonly Line[]): Torn | undefined {
  if (!/flow (map|sequence|collection)|expected flow/i.test(error.message)) return undefined;
  for (const line of up) {
    const at = openAtEnd(line.text).brackets.at(-1);
    if (at === undefined) continue;
    const start = line.start + at;
    const closing = line.text[at] === "{" ? "}" : "]";
    const rest = line.text.slice(at).trimEnd();
    return trap(start, start + 1, {
      code: "bracket-not-closed",
      message: `this ${line.text[at] ?? ""} has no ${closing}`,
      help: `close it: ${shortened(rest)}${closing}`,
    });
  }
  return undefined;
}

function blankAfterColon(
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
    message: `"${key}:" needs a blank after its colon`,
    help: `write ${key}: ${value.trim()}`,
  });
}

function indentation(error: YAMLParseError, text: string, up: readonly Line[]): Torn | undefined {
  const line = up[0];
  if (!line) return undefined;
  const own = misIndented(text, error.pos[0]);
  if (own && error.pos[0] <= own.end) return own;
  if (error.code !== "BLOCK_AS_IMPLICIT_KEY" && error.code !== "MULTILINE_IMPLICIT_KEY") return own;
  const below = lineEnd(text, error.pos[0]) + 1;
  const next = text.slice(below, lineEnd(text, below));
  // a key is written in small letters; what begins with a capital goes on with the text above
  const isKey = /^\s*(- )?[a-z_.]+:/.test(next);
  const isDeeper = (beginningOf(next)?.indent ?? 0) > (beginningOf(line.text)?.indent ?? 0);
  return isKey && isDeeper ? misIndented(text, below + 1) : undefined;
}

const COLON_IN_TEXT = {
  code: "colon-in-text",
  message: '": " inside unquoted text starts a map in YAML',
};

function colonInText(error: YAMLParseError, text: string): Torn | undefined {
  if (error.code !== "BLOCK_AS_IMPLICIT_KEY") return undefined;
  const [start] = error.pos;
  const end = lineEnd(text, start);
  const first = text.slice(start, end).trimEnd();
  if (first === "" || /[:?]$/.test(first)) return undefined;
  const ownIndent = /^ */.exec(text.slice(text.lastIndexOf("\n", start - 1) + 1))?.[0].length ?? 0;
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

function badStart(line: string): Mistake {
  const token = line.slice(0, tokenLength(line));
  if (token.startsWith("@")) {
    return {
      code: "unquoted-handle",
      message: 'a value cannot start with "@" in YAML',
      help: `quote it: "${token}"  (here: ${token.slice(1)} without @ also works)`,
    };
  }
  return {
    code: "unquoted-text",
    message: `a value cannot start with "${token.slice(0, 1)}" in YAML`,
    help: `quote it: ${JSON.stringify(line)}`,
  };
}

function tokenLength(line: string): number {
  return /^[^\s,}\]]+/.exec(line)?.[0].length ?? 1;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function trap(start: number, end: number, mistake: Mistake): Torn {
  return { start, end, mistake };
}

/** A mistake whose whole extent is a text that YAML does not read as one. */
function covered(start: number, end: number, mistake: Mistake): Torn {
  return { start, end, mistake, cover: { start, end, fill: "x" } };
}
