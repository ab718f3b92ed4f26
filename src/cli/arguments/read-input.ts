import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Io } from "../io.ts";

/**
 * Reads a file, or stdin for `-`.
 *
 * @throws {UsageError} if the file can't be read.
 */
export async function readInput(io: Pick<Io, "cwd" | "input">, file: string): Promise<string> {
  return file === "-" ? io.input.text() : readTextFile(io.cwd, file);
}

/**
 * Reads a text file.
 *
 * @throws {UsageError} when the file can't be read.
 */
export async function readTextFile(cwd: string, file: string): Promise<string> {
  return readFile(resolve(cwd, file), "utf8").catch((cause: unknown) => {
    throw new UsageError(`can't read ${file}`, {
      cause,
      hint: `check its name and permissions: ${messageOf(cause)}`,
    });
  });
}

/**
 * Returns a text argument, or the text of stdin for `-`.
 *
 * @throws {UsageError} if the text is empty.
 */
export async function textArgument(io: Pick<Io, "input">, textOrDash: string): Promise<string> {
  const text = textOrDash === "-" ? (await io.input.text()).trim() : textOrDash;
  if (text !== "") return text;
  throw new UsageError("the text is empty", { hint: "pass a text, or - to read it from stdin" });
}
