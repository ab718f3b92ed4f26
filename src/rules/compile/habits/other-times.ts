import { asText } from "../../../text/as-text.ts";
import { amountOf, suggestForPattern } from "../../../config/suggest-value.ts";
import { DURATION, durationMs } from "../../../system/duration.ts";
import { isPlainMap } from "./plain-map.ts";
import { ownMember } from "../../../system/own-member.ts";

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  millisecond: 1,
  s: 1_000,
  sec: 1_000,
  second: 1_000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  w: 604_800_000,
  week: 604_800_000,
};
const AMOUNT = ["amount", "value", "duration", "delta", "time"];
const UNIT = ["unit", "units"];

/**
 * Translates a duration as other tools write it: `{minutes: 5}`, `5 minutes` and `PT5M` become `5m`.
 *
 * @param bare Unit of a bare number; if absent, a bare number is not translated.
 */
export function timeOf(value: unknown, bare?: "s" | "m"): string | undefined {
  if (typeof value === "number") return bare === undefined ? undefined : `${value}${bare}`;
  if (isPlainMap(value)) return timeOfMap(value);
  if (typeof value !== "string") return undefined;
  if (/^\d+$/.test(value)) return bare === undefined ? undefined : `${value}${bare}`;
  return suggestForPattern(value, DURATION);
}

/** Converts `{minutes: 5}`, `{hours: 1, minutes: 30}` and `{amount: 5, unit: minutes}` to `5m`, `90m` and `5m`. */
function timeOfMap(map: Readonly<Record<string, unknown>>): string | undefined {
  const keys = Object.keys(map);
  const amount = keys.find((key) => AMOUNT.includes(key));
  const unit = keys.find((key) => UNIT.includes(key));
  if (amount !== undefined && unit !== undefined && keys.length === 2) {
    return shortest(amountOf(map[amount]) * msOf(asText(map[unit])));
  }
  const parts = keys.map((key) => amountOf(map[key]) * msOf(key));
  return keys.length === 0 ? undefined : shortest(parts.reduce((sum, part) => sum + part, 0));
}

function msOf(unit: string): number {
  return (
    ownMember(UNITS, unit.toLowerCase()) ??
    ownMember(UNITS, unit.toLowerCase().replace(/s$/, "")) ??
    Number.NaN
  );
}

/** Formats a duration in the largest unit that gives a whole number: 5,400,000 ms become `90m`. */
function shortest(ms: number): string | undefined {
  if (!Number.isInteger(ms) || ms <= 0) return undefined;
  const unit = (["d", "h", "m", "s"] as const).find((one) => ms % msOf(one) === 0) ?? "ms";
  return `${ms / msOf(unit)}${unit}`;
}

/** Converts a duration as other tools write it to milliseconds. */
export function msOfTime(value: unknown): number | undefined {
  const time = timeOf(value);
  return time === undefined ? undefined : durationMs(time);
}
