import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { UsageError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";

/**
 * Reads variables from a file of `NAME=value` lines, and omits variables that `environment` already has. Undefined if
 * the file does not exist.
 *
 * @throws {UsageError} if the file can't be read.
 */
export function readEnvFile(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseEnv(text))) {
    if (value !== undefined && (environment[name] ?? "") === "") values[name] = value;
  }
  return values;
}

/** Error codes of a missing file. A folder of this name (EISDIR) has another purpose and is ignored. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "EISDIR"]);

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && ABSENT.has(String(cause.code)))
      return undefined;
    throw new UsageError(`can't read ${path}: ${messageOf(cause)}`, {
      cause,
      hint: "let this user read it, or remove it",
    });
  }
}
