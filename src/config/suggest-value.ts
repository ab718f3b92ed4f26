import { idOf } from "../text/id-of.ts";
import { asText } from "../text/as-text.ts";

/** Known keys of the expected map, and the advice to leave the value's key out (empty if the key is required). */
interface Place {
  readonly keys: readonly string[];
  readonly orWithout: string;
}

/** Returns a help text for a value of the wrong type. `expected` has names as in `TYPE_NAMES`. */
export function suggestForType(
  value: unknown,
  expected: readonly string[],
  { keys, orWithout }: Place,
): string {
  const wants = (type: string) => expected.includes(type);
  const isMap = wants("a map") && !wants("text");
  const isListOfMaps = Array.isArray(value) && typeof value[0] === "object";
  if (isMap && keys.length > 0 && keys.length < 12 && !isListOfMaps) {
    return `write a map with: ${keys.join(", ")}`;
  }
  if (value === null) return `${EMPTY[expected[0] ?? ""] ?? "write a value"}${orWithout}`;
  if (Array.isArray(value) && !wants("a list")) return fromList(value, wants("a map"));
  if (wants("a list") && typeof value !== "object") return `write a list: [${written(value)}]`;
  if (wants("a list") && !wants("text"))
    return 'put "- " before it: it is the first item of a list';
  if (wants("true or false") && !wants("text")) return `write ${truthOf(value)}`;
  if (wants("a number") || wants("a whole number")) return forNumber(value, wants("a number"));
  const only = onlyText(value);
  if (only !== undefined && wants("text")) return `write ${written(only)}`;
  if (typeof value !== "object" && wants("text")) return `quote it: ${JSON.stringify(value)}`;
  if (wants("a map")) return "write a map:  NAME: VALUE";
  return "write a single value in its place";
}

/** Returns the text of a map whose only key is `text`, such as `{text: Hi}`; undefined for other values. */
function onlyText(value: unknown): string | undefined {
  const [[key, text] = [], second] =
    typeof value === "object" && value !== null ? Object.entries(value) : [];
  return key === "text" && typeof text === "string" && second === undefined ? text : undefined;
}

const EMPTY: Readonly<Record<string, string>> = {
  text: "write a text after the colon",
  "a list": 'write the items below it, each with "- " before it',
  "true or false": "write true or false",
};

function fromList(value: readonly unknown[], orMap: boolean): string {
  const first: unknown = value[0];
  if (orMap) return 'write it without "- " and [ ]';
  if (typeof first === "object" || first === undefined) return "write a single value";
  return `write a single value: ${written(first)}`;
}

function truthOf(value: unknown): string {
  const word = asText(value).toLowerCase();
  if (["true", "1", "y", "yes", "on"].includes(word)) return "true";
  return ["false", "0", "n", "no", "off"].includes(word) ? "false" : "true or false";
}

const SCALES: Readonly<Record<string, number>> = { "": 1, k: 1_000, m: 1_000_000 };

function forNumber(value: unknown, isFraction: boolean): string {
  // parsed maps have no prototype, so String() would throw
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const [, digits, scale = ""] =
    /^([-+]?(?:(?:\d{1,3}(?:[_,' ]\d{3})+|\d+)(?:\.\d+)?|\.\d+)) *([km]?)$/i.exec(
      text.replace(/(?<=\d) ?%$/, ""),
    ) ?? [];
  const number =
    Number((digits ?? "").replaceAll(/[_,' ]/g, "")) * (SCALES[scale.toLowerCase()] ?? 1);
  if (digits === undefined || !Number.isFinite(number)) return "write a number, as 1000";
  return `write ${isFraction ? number : Math.round(number)}`;
}

/** Returns a value as YAML, with quotes if it needs them. */
export function written(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "";
  return /^[\w.][\w. /-]*$/.test(value) ? value : JSON.stringify(value);
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^milli(second)?s?$/, "ms"],
  [/^s(ec(ond)?s?)?$/, "s"],
  [/^m(in(ute)?s?)?$/, "m"],
  [/^(h(rs?)?|hours?)$/, "h"],
  [/^d(ays?)?$/, "d"],
];

/** Milliseconds of the units that other tools use as keys, as in `minutes: 5`. */
const UNIT_KEYS: readonly (readonly [RegExp, number])[] = [
  [/^milli(second)?s?$|^ms$/, 1],
  [/^s(ec(ond)?s?)?$/, 1_000],
  // excludes "min", which may mean the minimum of a range
  [/^m(ins|inutes?)?$/, 60_000],
  [/^(h(rs?)?|hours?)$/, 3_600_000],
  [/^d(ays?)?$/, 86_400_000],
  [/^w(eeks?)?$/, 604_800_000],
];
const UNIT_SIGNS: readonly (readonly [string, number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
];

/**
 * Converts another tool's map of units to a duration: `{ minutes: 5 }` becomes `5m`. `undefined` for any other value.
 */
export function durationOfUnits(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const parts = Object.entries(value).map(([key, count]: [string, unknown]) => {
    const scale = UNIT_KEYS.find(([word]) => word.test(key.toLowerCase()))?.[1];
    return scale === undefined ? NaN : amountOf(count) * scale;
  });
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (parts.length === 0 || !Number.isSafeInteger(total) || total < 0) return undefined;
  const [sign = "ms", scale = 1] = UNIT_SIGNS.find(([, one]) => total % one === 0) ?? [];
  return total === 0 ? "0s" : `${total / scale}${sign}`;
}

/** Converts a number, or a text of one, to a number; NaN for other values, such as `true`, an empty text or a list. */
export function amountOf(value: unknown): number {
  if (typeof value === "string" && value.trim() !== "") return Number(value);
  return typeof value === "number" ? value : Number.NaN;
}

/** Returns a corrected value that matches `pattern`; `undefined` if no common slip explains the value. */
export function suggestForPattern(value: unknown, pattern: RegExp): string | undefined {
  const text = asText(value).trim();
  return repairs(text).find((candidate) => pattern.test(candidate));
}

function repairs(text: string): string[] {
  const lower = text.toLowerCase();
  const joined = idOf(text);
  const duration = /^(\d+) *([a-z]*)$/.exec(lower);
  const unit = WORDS.find(([word]) => word.test(duration?.[2] ?? ""))?.[1];
  const weeks = /^(\d+) *w(eeks?)?$/.exec(lower);
  return [
    ...(duration && unit !== undefined ? [`${duration[1]}${unit}`] : []),
    ...(duration?.[2] === "" ? [`${duration[1]}m`] : []),
    ...(weeks ? [`${Number(weeks[1]) * 7}d`] : []),
    ...severalUnits(lower),
    ...clockTime(text),
    joined,
    lower,
    lower.replaceAll(" ", ""),
    joined === "" ? "NAME" : `rule-${joined}`,
  ];
}

/**
 * Converts a duration such as `1h30m`, `1.5 hours` or `PT5M` to the largest unit that gives a whole number: `90m`,
 * `90m`, `5m`. Returns an empty list for other texts.
 */
function severalUnits(text: string): string[] {
  const parts = [
    ...text.replace(/^pt?(?=\d)/, "").matchAll(/(\d+(?:\.\d+)?) *([a-z]+),? *(?:and +)?/g),
  ];
  const isWhole = parts.map(([part]) => part).join("") === text.replace(/^pt?(?=\d)/, "");
  if (parts.length === 0 || !isWhole) return [];
  const ms = parts.reduce((sum, [, number, word = ""]) => {
    const unit = WORDS.find(([wordPattern]) => wordPattern.test(word))?.[1];
    return sum + Number(number) * (unit === undefined ? Number.NaN : (MS[unit] ?? Number.NaN));
  }, 0);
  const unit = ["d", "h", "m", "s", "ms"].find((one) => Number.isInteger(ms / (MS[one] ?? 1)));
  return unit === undefined || ms === 0 ? [] : [`${ms / (MS[unit] ?? 1)}${unit}`];
}

const MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Converts a duration in the form of a clock time, as in other tools: `00:10:00` becomes `10m`, and `10:30` becomes
 * `630m`.
 */
function clockTime(text: string): string[] {
  const parts = text.split(":").map(Number);
  if (parts.length < 2 || parts.some((part) => !Number.isInteger(part))) return [];
  const [hours = 0, minutes = 0, seconds = 0] = parts;
  const total = hours * 3600 + minutes * 60 + seconds;
  if (total % 3600 === 0) return [`${total / 3600}h`];
  return [total % 60 === 0 ? `${total / 60}m` : `${total}s`];
}
