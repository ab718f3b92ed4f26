import type { Io } from "../io.ts";
import { visibleLines } from "../../text/unseen.ts";

/** An error for programs. */
export interface JsonError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** An error for people: what is wrong, and what to do. */
export function formatError(
  { message, hint }: Pick<JsonError, "message" | "hint">,
  { red, dim }: Io["colors"],
): string {
  const help = hint === undefined ? "" : `\n${dim("  help:")} ${visibleLines(hint, "        ")}`;
  return `${red("error:")} ${visibleLines(message)}${help}`;
}

/** A JSON line with an error, formatted for people; undefined when the line is something else. */
export function formatJsonError(line: string, colors: Io["colors"]): string | undefined {
  if (!line.startsWith('{"code":')) return undefined;
  try {
    const error: JsonError = JSON.parse(line);
    return formatError(error, colors);
  } catch {
    // Cut off by a crash: shown as it is.
    return undefined;
  }
}
