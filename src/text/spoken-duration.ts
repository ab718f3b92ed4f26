import { fold } from "./fold.ts";

/** Length of each unit in milliseconds, by every word or abbreviation for the unit. */
const UNITS: ReadonlyMap<string, number> = new Map(
  [
    named(1, ["ms", "msec", "msecs", "millisecond", "milliseconds"]),
    named(1_000, ["s", "sec", "secs", "second", "seconds"]),
    named(60_000, ["m", "min", "mins", "minute", "minutes"]),
    named(3_600_000, ["h", "hr", "hrs", "hour", "hours"]),
    named(86_400_000, ["d", "day", "days"]),
    named(604_800_000, ["w", "wk", "wks", "week", "weeks"]),
  ].flat(),
);

const NUMBERS: ReadonlyMap<string, number> = new Map(
  [
    named(0.5, ["half"]),
    named(1, ["a", "an", "one"]),
    named(2, ["two"]),
    named(3, ["three"]),
    named(4, ["four"]),
    named(5, ["five"]),
    named(6, ["six"]),
    named(7, ["seven"]),
    named(8, ["eight"]),
    named(9, ["nine"]),
    named(10, ["ten"]),
    named(11, ["eleven"]),
    named(12, ["twelve"]),
  ].flat(),
);

/** Longest text that is read as a duration, in characters. */
const MAX_LENGTH = 100;
const TOKENS = /\d{1,9}(?:[.,]\d{1,3})?|[a-z]+|\S/g;

/**
 * Milliseconds of a duration as people write it: `2 hours`, `10 min`, `1 day`, `an hour and 30 minutes`, `1h30m`.
 *
 * @returns `undefined` when `text` is not a duration.
 */
export function spokenDurationMs(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const tokens: readonly string[] = fold(text).match(TOKENS) ?? [];
  let total: number | undefined;
  for (let at = 0; at < tokens.length;) {
    if (total !== undefined) {
      if (tokens[at] === ",") at += 1;
      if (tokens[at] === "and") at += 1;
    }
    const number = tokens[at] ?? "";
    const count = NUMBERS.get(number) ?? Number(number.replace(",", "."));
    at += 1;
    if (number === "half" && /^an?$/.test(tokens[at] ?? "")) at += 1;
    const scale = UNITS.get(tokens[at] ?? "");
    if (Number.isNaN(count) || number === "" || scale === undefined) return undefined;
    total = (total ?? 0) + count * scale;
    at += 1;
    if (tokens[at] === ".") at += 1;
  }
  return total === undefined ? undefined : Math.round(total);
}

function named(value: number, words: readonly string[]): readonly (readonly [string, number])[] {
  return words.map((word) => [word, value]);
}
