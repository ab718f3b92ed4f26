import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { UsageError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";

/**
 * The variables that a file of `NAME=value` lines gives; those that `environment` has are not among them. Undefined
 * where there is no such file.
 *
 * @throws {UsageError} for a file that can't be read.
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

/** Folders of this name are something else's. */
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
