import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { UsageError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";
import { errorCode } from "../../system/error-code.ts";

/**
 * Reads variables from a file of `NAME=value` lines, and omits variables that `environment` already has. Undefined if
 * the file does not exist.
 *
 * @throws {UsageError} if the file can't be read, or has a line of another form.
 */
export function readEnvFile(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  refuseStrayLine(path, text);
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (value !== undefined && (environment[name] ?? "").trim() === "") values[name] = value;
  }
  return values;
}

/**
 * `NAME=value`, whose value may have several lines in quotes, or a comment, or nothing. A name may be one that only other
 * programs can use, such as `npm_config_//registry.example/:token`.
 */
const STATEMENT =
  /[^\S\n]*(?:(?:export[^\S\n]+)?[^\s'"=#][^\s'"=]*[^\S\n]*=[^\S\n]*(?:(["'`])[^]*?\1)?[^\n]*|#[^\n]*)?(?:\n|$)/y;

/**
 * Refuses a line of another form. The parser of Node 20 takes it for the beginning of the next variable's name, which
 * hides the variable; later versions ignore it. The line is not quoted, because it may be a part of a key.
 */
function refuseStrayLine(path: string, text: string): void {
  for (let at = 0; at < text.length; at = STATEMENT.lastIndex) {
    STATEMENT.lastIndex = at;
    if (STATEMENT.test(text)) {
      refuseCutValue(path, text, at);
      continue;
    }
    throw new UsageError(
      `${path}:${text.slice(0, at).split("\n").length}: this line is not NAME=value`,
      {
        hint: "write NAME=value, one a line; # before a comment; quotes around a value of several lines",
      },
    );
  }
}

/** Value without quotes that contains `#`, such as a password. A comment begins there, with or without a blank. */
const CUT_AT_HASH = /[^\n=#]*=[^\S\n]*[^\s"'`#][^\n#]*(?<=\S)#/y;
/** Value in quotes with more text after its second quote. The text would be ignored. */
const CUT_AT_QUOTE = /[^\n=#]*=[^\S\n]*(["'`])(?:(?!\1)[^])*\1[^\S\n]*[^\s#]/y;

const CUTS = [
  {
    pattern: CUT_AT_HASH,
    end: 'before its "#", where a comment begins',
    hint: 'write quotes around the whole value:  NAME="…#…";  before a comment, write a blank',
  },
  {
    pattern: CUT_AT_QUOTE,
    end: "at its second quote, and more text follows",
    hint: "write quotes of another kind around the whole value:  NAME='…\"…';  before a comment, write #",
  },
];

/** Refuses a value that ends before its line does. The value is not quoted, because it may be a password. */
function refuseCutValue(path: string, text: string, at: number): void {
  for (const { pattern, end, hint } of CUTS) {
    pattern.lastIndex = at;
    if (!pattern.test(text)) continue;
    const line = text.slice(0, at).split("\n").length;
    throw new UsageError(`${path}:${line}: the value ends ${end}`, { hint });
  }
}

/** Error codes of a missing file. A folder of this name (EISDIR) has another purpose and is ignored. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "EISDIR"]);

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    if (ABSENT.has(errorCode(cause) ?? "")) return undefined;
    throw new UsageError(`can't read ${path}: ${messageOf(cause)}`, {
      cause,
      hint: "let this user read it, or remove it",
    });
  }
}
