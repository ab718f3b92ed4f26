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

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...named(1, ["a", "an"]),
  ...counted(
    1,
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen " +
      "seventeen eighteen nineteen",
  ),
]);
const TENS: ReadonlyMap<string, number> = new Map(
  counted(2, "twenty thirty forty fifty sixty seventy eighty ninety").map(([word, value]) => [
    word,
    value * 10,
  ]),
);
const PARTS: ReadonlyMap<string, number> = new Map([
  ["half", 0.5],
  ["quarter", 0.25],
]);

/** Longest text that is read as a duration, in characters. */
const MAX_LENGTH = 100;
const TOKENS = /[1-9]\d{0,2}(?:,\d{3})+(?!\d)|\d{1,9}(?:[.,]\d{1,3})?|[a-z]+|\S/g;
/** Matches a number with thousands separators, such as `1,000`; in `1,5` the comma is a decimal one. */
const IN_THOUSANDS = /^[1-9]\d{0,2}(?:,\d{3})+$/;
const END = /(?:[\s,]+(?:please|pls))?[\s.!?…]*$/;

/**
 * Milliseconds of a duration as people write it: `2 hours`, `10 min`, `1 day`, `an hour and 30 minutes`, `1h30m`,
 * `forty-five minutes`, `an hour and a half`, `10 minutes, please!`.
 *
 * @returns `undefined` when `text` is not a duration.
 */
export function spokenDurationMs(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const tokens = fold(text).replace(END, "").match(TOKENS) ?? [];
  let total: number | undefined;
  let scale: number | undefined;
  for (let at = 0; at < tokens.length;) {
    if (scale !== undefined) {
      if (tokens[at] === ",") at += 1;
      if (tokens[at] === "and") at += 1;
      // "an hour and a half": a part of the unit before it
      const part = tokens[at] === "a" ? PARTS.get(tokens[at + 1] ?? "") : undefined;
      if (part !== undefined && tokens[at - 1] === "and" && at + 2 === tokens.length) {
        return Math.round((total ?? 0) + part * scale);
      }
    }
    const number = numberAt(tokens, at);
    scale = number && UNITS.get(tokens[number.end] ?? "");
    if (number === undefined || scale === undefined) return undefined;
    total = (total ?? 0) + number.value * scale;
    at = number.end + 1;
    if (tokens[at] === ".") at += 1;
  }
  return total === undefined ? undefined : Math.round(total);
}

/** Reads the number at `at`: `5`, `forty-five`, `half an`, `2 and a half`. `end` is the index after the number. */
function numberAt(
  tokens: readonly string[],
  at: number,
): { readonly value: number; readonly end: number } | undefined {
  const [first = "", second = ""] = tokens.slice(at);
  const part = PARTS.get(first === "a" ? second : first);
  if (part !== undefined) {
    let end = at + (first === "a" ? 2 : 1);
    if (tokens[end] === "of") end += 1;
    if (/^an?$/.test(tokens[end] ?? "")) end += 1;
    return { value: part, end };
  }
  let end = at + 1;
  let value =
    NUMBERS.get(first) ??
    TENS.get(first) ??
    Number(first.replaceAll(",", IN_THOUSANDS.test(first) ? "" : "."));
  if (first === "" || Number.isNaN(value)) return undefined;
  if (TENS.has(first)) {
    if (tokens[end] === "-") end += 1;
    const ones = NUMBERS.get(tokens[end] ?? "") ?? 0;
    const isCompound = tokens[end]?.length !== 1 && ones > 0 && ones < 10;
    if (!isCompound && tokens[end - 1] === "-") return undefined;
    value += isCompound ? ones : 0;
    end += isCompound ? 1 : 0;
  }
  const isMixed = tokens[end] === "and" && tokens[end + 1] === "a";
  const rest = isMixed ? PARTS.get(tokens[end + 2] ?? "") : undefined;
  return rest === undefined ? { value, end } : { value: value + rest, end: end + 3 };
}

function named(value: number, words: readonly string[]): readonly (readonly [string, number])[] {
  return words.map((word) => [word, value]);
}

/** Returns each word with its number, in order from `first`. */
function counted(first: number, words: string): readonly (readonly [string, number])[] {
  return words.split(" ").map((word, index) => [word, first + index]);
}
