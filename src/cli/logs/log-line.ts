import type { Io } from "../io.ts";
import { visible } from "../../text/unseen.ts";
import { formatTime } from "../output/format-time.ts";

/** Names of log levels by number. */
export const LEVELS: Readonly<Record<number, string>> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};

/** A line of the bot's log, with the fields common to all lines. */
export interface LogLine extends Readonly<Record<string, unknown>> {
  readonly level: number;
  readonly time: string;
}

/** Parses a log line; returns undefined if `text` is not a line of the bot's log. */
export function readLogLine(text: string): LogLine | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const line: unknown = JSON.parse(text);
    return isLogLine(line) ? line : undefined;
  } catch {
    // A line that was cut off by a crash is shown unchanged.
    return undefined;
  }
}

function isLogLine(value: unknown): value is LogLine {
  return (
    typeof value === "object" &&
    value !== null &&
    "level" in value &&
    typeof value.level === "number" &&
    "time" in value &&
    typeof value.time === "string"
  );
}

/**
 * Formats a log line for people; returns undefined if `text` is not a line of the bot's log.
 *
 * The line starts with the time by the bot's clock. If this differs from the machine's time, the field `machine_time`
 * has the latter.
 */
export function formatLogLine(text: string, colors: Io["colors"]): string | undefined {
  const line = readLogLine(text);
  if (line === undefined) return undefined;
  const { level, time, platform_time: platformTime, msg, stage, err, place, ...rest } = line;
  const name = LEVELS[level] ?? String(level);
  const paint = level >= 50 ? colors.red : level >= 40 ? colors.yellow : colors.dim;
  const isMoved = typeof platformTime === "string";
  const shown = { ...rest, ...(isMoved && { machine_time: formatTime(time) }) };
  const fields = Object.entries(shown).map(([key, value]) => `${key}=${formatValue(value)}`);
  return [
    colors.dim(formatTime(isMoved ? platformTime : time)),
    paint(name.padEnd(5)),
    ...(typeof stage === "string" ? [colors.dim(`${stage}:`)] : []),
    typeof msg === "string" ? formatLines(msg) : formatValue(msg ?? ""),
    ...(fields.length > 0 ? [colors.dim(fields.join(" "))] : []),
    ...(place === undefined ? [] : [`\n    at ${formatValue(place)}`]),
    ...(err === undefined ? [] : [`\n    ${formatError(err)}`]),
  ].join(" ");
}

function formatValue(value: unknown): string {
  return visible(typeof value === "string" ? value : JSON.stringify(value));
}

/** Formats an error for people: its stack, else its type and message. */
function formatError(err: unknown): string {
  if (typeof err !== "object" || err === null) return formatLines(formatValue(err));
  const { stack, type, message, hint }: Readonly<Record<string, unknown>> = { ...err };
  if (typeof stack === "string") return formatLines(stack);
  if (typeof message !== "string") return formatLines(formatValue(err));
  const kind = typeof type === "string" ? type : "Error";
  const help = typeof hint === "string" ? `\nhelp: ${hint}` : "";
  return formatLines(`${kind}: ${message}${help}`);
}

function formatLines(text: string): string {
  return text.split("\n").map(visible).join("\n    ");
}
