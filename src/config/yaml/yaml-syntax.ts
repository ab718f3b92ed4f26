import type { YAMLParseError } from "yaml";
import { LOCAL } from "./local-problems.ts";
import { misIndented } from "./mis-indented.ts";
import { tokenLength } from "./scalar-start.ts";
import { type Explain, type Torn, trap } from "./torn.ts";
import {
  closingBracket,
  colonInBrackets,
  cutInBrackets,
  expressionInBrackets,
  openBracket,
} from "./torn-brackets.ts";
import { blankAfterColon, blockHeader, colonInText, openQuote, outsideQuote } from "./torn-text.ts";
import {
  besideKey,
  blankAfterDash,
  foreignLine,
  lookAlike,
  noColon,
  outsideBlock,
  tabIndent,
} from "./torn-lines.ts";
import { bracketInText, textAfterValue } from "./torn-values.ts";
import { beginningOf, lineEnd, type Line, linesUpFrom } from "./yaml-lines.ts";

/** Explains the first mistake that prevents reading the rest of the file; `undefined` if there is none. */
export function firstTorn(errors: readonly YAMLParseError[], text: string): Torn | undefined {
  const error = errors.find((one) => !LOCAL.has(one.code));
  return error && explainTorn(error, text);
}

/** Explanations in order of precedence: a later one would misinterpret mistakes that an earlier one explains. */
const EXPLANATIONS: readonly Explain[] = [
  secondDocument,
  foreignLine,
  lookAlike,
  tabIndent,
  openQuote,
  outsideQuote,
  cutInBrackets,
  textAfterValue,
  blockHeader,
  expressionInBrackets,
  colonInBrackets,
  bracketInText,
  closingBracket,
  commaBetween,
  openBracket,
  blankAfterColon,
  blankAfterDash,
  outsideBlock,
  noColon,
  indentation,
  besideKey,
  colonInText,
];

/** Maximum length of a line that is explained, since some explanations take quadratic time. */
const LONGEST_LINE = 5_000;

/** Maximum number of maps and lists around a value. The time to compile a rule grows with the third power of this number. */
export const MAX_NESTING = 200;

export const NESTED_TOO_DEEP = {
  code: "nested-too-deep",
  message: `maps and lists are nested more than ${MAX_NESTING} deep here`,
  help: "nest them less: write conditions below each other, or call other rules with run:",
};

function explainTorn(error: YAMLParseError, text: string): Torn {
  if (error.message.includes("call stack")) {
    const [start] = error.pos;
    return { start, end: start + 1, mistake: NESTED_TOO_DEEP };
  }
  const up = linesUpFrom(text, error.pos[0], 20);
  const isExplained = up.every((line) => line.text.length <= LONGEST_LINE);
  for (const explain of isExplained ? EXPLANATIONS : []) {
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

/** Finds a comma too many between the items of a flow list or map, or a missing one. */
function commaBetween(error: YAMLParseError, text: string): Torn | undefined {
  const [start] = error.pos;
  const line = text.slice(start, lineEnd(text, start));
  if (error.message.startsWith("Unexpected , in flow")) {
    const message = "nothing stands before this comma";
    return {
      ...trap(start, start + 1, { code: "comma-between", message, help: "remove the comma" }),
      cover: { start, end: start + 1, fill: " " },
    };
  }
  const item = line.slice(0, tokenLength(line));
  const place = sideOfMissingComma(error, text);
  if (place === undefined) return undefined;
  return trap(start, start + item.length, {
    code: "comma-between",
    message: "a comma is missing between two items",
    help: `write a comma ${place} ${item}`,
  });
}

function sideOfMissingComma(
  { message, pos: [start] }: YAMLParseError,
  text: string,
): "before" | "after" | undefined {
  const isQuoted = /["'\]}]\s*$/.test(text.slice(Math.max(0, start - 100), start));
  if (
    message.startsWith("Missing , ") ||
    (isQuoted && message.startsWith("Unexpected scalar token"))
  ) {
    return "before";
  }
  // JSON: the next key is in quotes, on the same line or on the next one
  const isBeforeKey = /^[^\s,[\]{}"']+\s+"[^"\n]*":/.test(text.slice(start, start + 300));
  return isBeforeKey ? "after" : undefined;
}

function indentation(error: YAMLParseError, text: string, up: readonly Line[]): Torn | undefined {
  const line = up[0];
  if (!line) return undefined;
  const own = misIndented(text, error.pos[0]);
  if (own && error.pos[0] <= own.end) return own;
  if (error.code !== "BLOCK_AS_IMPLICIT_KEY" && error.code !== "MULTILINE_IMPLICIT_KEY") return own;
  const below = lineEnd(text, error.pos[0]) + 1;
  const next = text.slice(below, lineEnd(text, below));
  // keys of rule files are lower-case: a next line that begins with a capital letter continues the text above it
  const isKey = /^\s*(- )?[a-z_.]+:/.test(next);
  const isDeeper = (beginningOf(next)?.indent ?? 0) > (beginningOf(line.text)?.indent ?? 0);
  return isKey && isDeeper ? misIndented(text, below + 1) : undefined;
}
