import type { Io } from "../io.ts";

/** An error as a program reads it. */
export interface JsonError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** An error as people read it: what is wrong, and what to do. */
export function errorText(
  { message, hint }: Pick<JsonError, "message" | "hint">,
  { red, dim }: Io["colors"],
): string {
  return `${red("error:")} ${message}${hint === undefined ? "" : `\n${dim("  help:")} ${hint}`}`;
}

/** A line of JSON that holds an error, as people read it; undefined when it is something else. */
export function shownError(line: string, colors: Io["colors"]): string | undefined {
  if (!line.startsWith('{"code":')) return undefined;
  try {
    const error: JsonError = JSON.parse(line);
    return errorText(error, colors);
  } catch {
    // Cut off by a crash: shown as it is.
    return undefined;
  }
}
