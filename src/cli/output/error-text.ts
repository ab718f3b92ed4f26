import type { SettingsFlags } from "../arguments/settings-flags.ts";
import { withSameSettings } from "./same-settings.ts";
import type { Io } from "../io.ts";
import { visibleLines } from "../../text/unseen.ts";

/** An error as one JSON object, for programs. */
export interface JsonError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Returns an error for a command's output. Commands in its hint get the flags of the settings from `flags`. */
export function errorFor({ code, message, hint }: JsonError, flags: SettingsFlags): JsonError {
  return { code, message, hint: hint === undefined ? undefined : withSameSettings(hint, flags) };
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
