import type { Io } from "../io.ts";
import { visibleLines } from "../../text/unseen.ts";

/** An error as one JSON object, for programs. */
export interface JsonError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Formats an error for people, with its hint. */
export function formatError(
  { message, hint }: Pick<JsonError, "message" | "hint">,
  { red, dim }: Io["colors"],
): string {
  const help = hint === undefined ? "" : `\n${dim("  help:")} ${visibleLines(hint, "        ")}`;
  return `${red("error:")} ${visibleLines(message)}${help}`;
}

/** Formats a line with an error in JSON form for people; returns undefined for any other line. */
export function formatJsonError(line: string, colors: Io["colors"]): string | undefined {
  if (!line.startsWith('{"code":')) return undefined;
  try {
    const error: JsonError = JSON.parse(line);
    return formatError(error, colors);
  } catch {
    // A line that was cut off by a crash is shown unchanged.
    return undefined;
  }
}
