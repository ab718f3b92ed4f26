import { isAlias, isCollection, isScalar, type Node, type YAMLParseError } from "yaml";
import type { Mistake, Problem } from "./problem.ts";

interface Trap {
  readonly start: number;
  readonly end: number;
  readonly mistake: Mistake;
}

/** Something that YAML accepts and that its author did not mean. */
export function trapOf(node: Node, text: string): Trap | undefined {
  const [start, valueEnd, nodeEnd] = node.range ?? [0, 0, 0];
  if (isAlias(node) || ((isScalar(node) || isCollection(node)) && node.anchor !== undefined)) {
    return { start, end: valueEnd, mistake: NO_ALIASES };
  }
  if (node.tag !== undefined && !node.tag.startsWith("tag:yaml.org,2002:")) {
    return { start, end: valueEnd, mistake: noTag(node.tag) };
  }
  if (!isScalar(node) || node.type !== "PLAIN") return undefined;
  const cut = /^[ \t]*(#[^\s#!].*)/.exec(restOfLine(text, valueEnd, nodeEnd));
  if (cut?.[1] !== undefined) {
    const at = valueEnd + cut[0].length - cut[1].length;
    const kept = text.slice(start, valueEnd);
    return { start: at, end: at + cut[1].trimEnd().length, mistake: cutText(kept, cut[1].trim()) };
  }
  if (typeof node.value === "number" && losesDigits(node.value, text.slice(start, valueEnd))) {
    const source = text.slice(start, valueEnd);
    return { start, end: valueEnd, mistake: longNumber(source, node.value) };
  }
  return undefined;
}

/** Only the first line counts: what follows a value in its own line is what cut it. */
function restOfLine(text: string, from: number, to: number): string {
  const rest = text.slice(from, to);
  return rest.split(/\r?\n/, 1)[0] ?? "";
}

function losesDigits(value: number, source: string): boolean {
  return /^[-+]?\d+$/.test(source) && !Number.isSafeInteger(value);
}

const NO_ALIASES: Mistake = {
  code: "no-aliases",
  message: "anchors (&name) and aliases (*name) are not supported here",
  help: "write the value out, or quote it if it is text",
};

function noTag(tag: string): Mistake {
  return {
    code: "no-tags",
    message: `the tag "${tag}" is not supported here`,
    help: "leave it out, or quote the value if the ! belongs to the text",
  };
}

function cutText(kept: string, cut: string): Mistake {
  const whole = kept === "" ? cut : `${kept} ${cut}`;
  const left = kept === "" ? "nothing is left" : `only "${kept}" is left`;
  return {
    code: "text-cut-by-comment",
    message: `everything from "#" on is a YAML comment: of this value ${left}`,
    help: `quote the whole value: ${JSON.stringify(whole)}`,
  };
}

function longNumber(source: string, value: number): Mistake {
  return {
    code: "id-loses-digits",
    message: `this ID is read as a number and becomes ${BigInt(value)}`,
    help: `quote it: "${source}"`,
  };
}

/** Mistakes that leave the meaning of the rest of the file intact. */
const LOCAL = new Set(["BAD_SCALAR_START", "DUPLICATE_KEY", "BLOCK_AS_IMPLICIT_KEY"]);

/**
 * What the YAML parser refused, one problem per mistake: the follow-up errors of a line are its
 * consequences.
 */
export function syntaxProblems(
  errors: readonly YAMLParseError[],
  text: string,
  place: (start: number, end: number, mistake: Mistake) => Problem,
): { readonly problems: Problem[]; readonly readable: boolean } {
  const byLine = new Map<number, Problem>();
  let readable = true;
  for (const error of errors) {
    if (!readable) break;
    const { start, end, mistake } = explain(error, text);
    const problem = place(start, end, mistake);
    const repeated = byLine.has(problem.line);
    if (!repeated) byLine.set(problem.line, problem);
    if (!LOCAL.has(error.code) && !repeated) readable = false;
  }
  return { problems: [...byLine.values()], readable };
}

function explain(error: YAMLParseError, text: string): Trap {
  const [start, end] = error.pos;
  const line = text.slice(start, lineEnd(text, start)).trimEnd();
  if (error.code === "BAD_SCALAR_START") {
    return { start, end: start + tokenLength(line), mistake: badStart(line) };
  }
  if (error.code === "DUPLICATE_KEY") {
    const key = /^[^:\s]+/.exec(line)?.[0] ?? line;
    const message = `"${key}" appears twice in this map`;
    const mistake = { code: "duplicate-key", message, help: "keep one of the two" };
    return { start, end: start + key.length, mistake };
  }
  if (error.code === "BLOCK_AS_IMPLICIT_KEY") {
    const help = `quote the text: ${JSON.stringify(line)}`;
    return { start, end: start + line.length, mistake: { ...COLON_IN_TEXT, help } };
  }
  const known = KNOWN_ERRORS[error.code];
  return known ? { start, end, mistake: known } : unreadable(error, text, line);
}

/** The first text that YAML took for structure: with ": " in it, or ${{ }} inside { } or [ ]. */
export function tornValue(
  errors: readonly YAMLParseError[],
  text: string,
): { readonly error: YAMLParseError; readonly start: number; readonly end: number } | undefined {
  const error = errors.find((one) => !LOCAL.has(one.code) || one.code === "BLOCK_AS_IMPLICIT_KEY");
  if (!error) return undefined;
  const at = error.pos[0];
  const end = lineEnd(text, at);
  if (error.code === "BLOCK_AS_IMPLICIT_KEY") {
    // a value whose next line is indented deeper is a map in the wrong place, not text
    const line = text.slice(at, end).trimEnd();
    return /[:?]$/.test(line) || line === ""
      ? undefined
      : { error, start: at, end: at + line.length };
  }
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const expression = /(?<!["'].*)\$\{\{.*?\}\}/.exec(text.slice(lineStart, end));
  if (!expression || !isInFlow(text.slice(lineStart, lineStart + expression.index)))
    return undefined;
  const start = lineStart + expression.index;
  return { error, start, end: start + expression[0].length };
}

function isInFlow(before: string): boolean {
  return /[{[]/.test(before);
}

const COLON_IN_TEXT = {
  code: "colon-in-text",
  message: '": " inside unquoted text starts a map in YAML',
};

const KNOWN_ERRORS: Readonly<Record<string, Mistake>> = {
  TAB_AS_INDENT: { code: "tab-indent", message: "YAML is indented with spaces, not tabs" },
  MULTIPLE_DOCS: {
    code: "second-document",
    message: "one file holds one document",
    help: "remove the line ---, or make two files",
  },
};

function unreadable(error: YAMLParseError, text: string, line: string): Trap {
  const [start, end] = error.pos;
  const wholeLine = text.slice(text.lastIndexOf("\n", start - 1) + 1, lineEnd(text, start));
  if (/[{[].*\$\{\{/.test(wholeLine)) {
    const message = "${{ }} inside { } or [ ] must be quoted";
    const help = 'put the value in quotes: "${{ … }}"';
    return { start, end, mistake: { code: "unquoted-expression", message, help } };
  }
  const detail = (error.message.split(/ at line \d+/, 1)[0] ?? error.message).trim();
  const mistake = { code: "yaml-syntax", message: `this is not YAML: ${lowerFirst(detail)}` };
  return { start, end: Math.max(end, start + tokenLength(line)), mistake };
}

function badStart(line: string): Mistake {
  const token = line.slice(0, tokenLength(line));
  const bare = token.slice(1);
  if (token.startsWith("@")) {
    return {
      code: "unquoted-handle",
      message: 'a value cannot start with "@" in YAML',
      help: `quote it: "${token}"  (here: ${bare} without @ also works)`,
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

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
