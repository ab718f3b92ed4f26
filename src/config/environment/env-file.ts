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
    if (value !== undefined && (environment[name] ?? "") === "") values[name] = value;
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
const CUT_VALUE = /[^\n=#]*=[^\S\n]*[^\s"'`#][^\n#]*(?<=\S)#/y;

/** Refuses a value that ends at its `#`. The value is not quoted, because it may be a password. */
function refuseCutValue(path: string, text: string, at: number): void {
  CUT_VALUE.lastIndex = at;
  if (!CUT_VALUE.test(text)) return;
  throw new UsageError(
    `${path}:${text.slice(0, at).split("\n").length}: the value ends before its "#", where a comment begins`,
    { hint: 'write quotes around the whole value:  NAME="…#…";  before a comment, write a blank' },
  );
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
