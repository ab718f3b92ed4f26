import type { YAMLParseError } from "yaml";
import { type Torn, trap } from "./torn.ts";
import { beginningOf, isIdle, lineEnd, type Line } from "./yaml-lines.ts";
import { lookAlikeIn } from "./look-alikes.ts";

/** Finds a line that does not belong to the file: a mark of a merge, of Markdown, or of another language's comment. */
export function foreignLine(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  const [, blanks = "", mark, rest = ""] =
    /^(\s*)(<{7}|={7}(?=\s|$)|>{7}|```|~~~|\/\/|\/\*)(.*)$/.exec(line?.text ?? "") ?? [];
  if (!line || mark === undefined) return undefined;
  const start = line.start + blanks.length;
  const end = line.start + line.text.trimEnd().length;
  const { message, help } = FOREIGN[mark.slice(0, 2)] ?? COMMENT;
  const comment = rest.replace(/\*\/\s*$/, "").trim();
  return trap(start, end, {
    code: "foreign-line",
    message,
    help: help ?? `write # ${comment}`,
  });
}

const MERGE = {
  message: "this mark of a merge separates two versions of the same lines",
  help: "keep one of the versions, and remove the lines <<<<<<<, ======= and >>>>>>>",
};
const FENCE = {
  message: "this mark of Markdown is not part of the file",
  help: "remove the line, and its counterpart at the end of the block",
};
const COMMENT: { readonly message: string; readonly help?: string } = {
  message: "a comment begins with # in YAML",
};
const FOREIGN: Readonly<Record<string, { readonly message: string; readonly help?: string }>> = {
  "<<": MERGE,
  "==": MERGE,
  ">>": MERGE,
  "``": FENCE,
  "~~": FENCE,
};

/** Finds a character that looks like a blank, a dash or a colon of YAML. */
export function lookAlike(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  for (const [distance, line] of up.entries()) {
    const character = lookAlikeIn(line.text, { isWrong: distance === 0 });
    if (character === undefined || (distance > 0 && isInBlock(line, up.slice(distance + 1)))) {
      continue;
    }
    const { start, end, mistake } = character;
    return trap(line.start + start, line.start + end, mistake);
  }
  return undefined;
}

/** Whether a line may belong to a text below `|` or `>`, judged by the lines `above` it. */
function isInBlock(line: Line, above: readonly Line[]): boolean {
  const indent = blanksOf(line.text);
  const parent = above.find(({ text }) => !isIdle(text) && blanksOf(text) < indent);
  return parent === undefined ? indent > 0 : OPENS_BLOCK.test(parent.text);
}

/** End of a line whose text is below it. */
const OPENS_BLOCK = /[:-] +[|>][+-]?\d?[+-]?\s*$/;

export function tabIndent(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const at = error.code === "TAB_AS_INDENT" ? tabAt(error, text) : tabInIndentation(up[0]);
  if (at === undefined) return undefined;
  return trap(at, at + 1, {
    code: "tab-indent",
    message: "YAML is indented with spaces, not tabs",
    help: "put two spaces in place of each tab",
  });
}

function tabAt({ pos: [start] }: YAMLParseError, text: string): number {
  const tab = text.indexOf("\t", start);
  return tab < 0 ? start : tab;
}

function tabInIndentation(line: Line | undefined): number | undefined {
  const [blanks] = /^ *\t/.exec(line?.text ?? "") ?? [];
  return line === undefined || blanks === undefined ? undefined : line.start + blanks.length - 1;
}

/** Mistake of a dash that begins no list item: `-reply_dm: hi`. */
export const BLANK_AFTER_DASH = {
  code: "blank-after-dash",
  message: '"-" begins an item of a list only with a space after it',
};

/** Finds an item without a space after its dash, below items with one. */
export function blankAfterDash(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  const [, blanks, item] = /^( *)-([A-Za-z_{["'].*)$/.exec(line?.text.trimEnd() ?? "") ?? [];
  if (!line || blanks === undefined || item === undefined) return undefined;
  const start = line.start + blanks.length;
  return trap(start, start + 1, { ...BLANK_AFTER_DASH, help: `write - ${item}` });
}

/** Finds a key without a colon: `enabled` alone in its line, `enabled true`, or `version = 1`. */
export function noColon(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  if (!NO_KEY.has(error.code)) return undefined;
  for (const [distance, line] of up.slice(0, 2).entries()) {
    const [, before, key, value = ""] =
      /^(\s*(?:- +)?)([a-z_]+(?:\.[a-z_]+)*)(?:\s*=\s*|\s+|$)(\S.*)?$/.exec(line.text) ?? [];
    if (before === undefined || key === undefined) continue;
    // below "key:" stands a text of several words, not a key
    const isText = /:\s*$/.test(up[distance + 1]?.text ?? "");
    if (value !== "" && (isText || distance > 0)) return undefined;
    const start = line.start + before.length;
    const meant = `${key}: ${value.trim()}`.trim();
    return trap(start, start + key.length, {
      code: "no-colon",
      message: `a colon is missing after "${key}"`,
      help: isText ? `write ${meant}, or quote the whole text` : `write ${meant}`,
    });
  }
  return undefined;
}

/** Codes of the parser for words that stand where a key should. */
const NO_KEY: ReadonlySet<string> = new Set([
  "MULTILINE_IMPLICIT_KEY",
  "MISSING_CHAR",
  "UNEXPECTED_TOKEN",
  "BLOCK_AS_IMPLICIT_KEY",
]);

/** Finds a list or a map that begins on the line of its key: `triggers: - dm.received`, `conditions: any:`. */
export function besideKey(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const line = up[0];
  const [, before, value] =
    /^(\s*(?:- +)*[\w.]+: +)(-(?: +.*)?|[\w.]+:)$/.exec(line?.text.trimEnd() ?? "") ?? [];
  if (!line || before === undefined || value === undefined) return undefined;
  const start = line.start + before.length;
  const what = value.startsWith("-") ? "a list" : "a map";
  return trap(start, start + value.length, {
    code: "beside-key",
    message: `${what} begins on the line below its key`,
    help: `put ${value} on the next line, two columns to the right of its key; if it is a text, quote it: ${JSON.stringify(value)}`,
  });
}

/** Finds a line of a text below `|` or `>` that is indented too little. */
export function outsideBlock(
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
): Torn | undefined {
  const [line, ...above] = up;
  if (!line || beginningOf(line.text)) return undefined;
  const indent = blanksOf(line.text);
  for (const one of above) {
    const own = beginningOf(one.text);
    if (!own) continue;
    if (!OPENS_BLOCK.test(one.text)) return undefined;
    const below = lineEnd(text, one.start) + 1;
    const first = text.slice(below, lineEnd(text, below));
    const wanted = below < line.start && !isIdle(first) ? blanksOf(first) : own.inner + 2;
    if (indent >= wanted) return undefined;
    const start = line.start + indent;
    return trap(start, line.start + line.text.trimEnd().length, {
      code: "mis-indented",
      message: `this line is too far to the left for the text below line ${one.number}`,
      help: `start it in column ${wanted + 1}`,
    });
  }
  return undefined;
}

/** Number of ordinary spaces at the beginning of a line. */
function blanksOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}
