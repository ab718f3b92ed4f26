import { isDate, readClosed, readOpen } from "../../hours/read-hours.ts";

const ALWAYS = /^(?:24\/7|24 ?h(?:ours?)?|always|all day|open)$/;
/** A range of clock times: `9-17`, `9.30-17`, `0900-1700`, `9am - 5:30 pm`. */
const RANGE =
  /(\d{1,2})(?:[:.h]?(\d{2}))?(?: ?(am|pm|h|uhr))? ?- ?(\d{1,2})(?:[:.h]?(\d{2}))?(?: ?(am|pm|h|uhr))?/g;

/** Converts days and times in another form, such as `Mon to Fri 9am-5pm`; undefined if they are still unreadable. */
export function openMeant(text: string): string | undefined {
  const lower = text.trim().toLowerCase().replaceAll(/[–—]/g, "-").replaceAll(/\s+/g, " ");
  if (ALWAYS.test(lower)) return "00:00-24:00";
  const meant = lower
    .replaceAll(/([ap])\.m\.?/g, "$1m")
    .replaceAll(/\b(?:from|between|on)\b/g, "")
    .replaceAll(/ ?\b(?:to|till?|until|through|bis)\b ?/g, "-")
    .replaceAll(/ ?(?:\band\b|&|;) ?/g, ", ")
    .replaceAll(/\b(?:every ?day|all days)\b/g, "daily")
    .replaceAll(/\b(?:weekdays?|work(?:ing)? ?days?)\b/g, "mon-fri")
    .replaceAll(/\bweekends?\b/g, "sat,sun")
    .replaceAll(/\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*\b\.?/g, "$1")
    .replaceAll("noon", "12:00")
    .replaceAll(/- ?midnight/g, "-24:00")
    .replaceAll("midnight", "00:00")
    .replaceAll(RANGE, rangeOfDay)
    .replace(/^([\d:, -]*\d),? ([a-z].*)$/, "$2 $1")
    .replace(/^([a-z, -]*[a-z]) ?[:,]? ?(?=\d)/, "$1 ")
    .replaceAll(/ +/g, " ")
    .trim();
  return readOpen(meant) === undefined ? undefined : meant;
}

function rangeOfDay(...parts: readonly (string | undefined)[]): string {
  const [
    range = "",
    hour = "",
    minute = "00",
    half,
    endHour = "",
    endMinute = "00",
    endHalf = half,
  ] = parts;
  // `9-5` may be hours of the day, or a night
  const isUnclear =
    /^\d+ ?- ?\d+$/.test(range) && Number(hour) <= 12 && Number(endHour) < Number(hour);
  if (isUnclear) return "?";
  // in `9-5pm` the first hour is in the morning, in `1-5pm` it is not
  const isBefore = Number(hour) % 12 <= Number(endHour) % 12;
  const firstHalf = half ?? (endHalf === "pm" && !isBefore ? "am" : endHalf);
  return `${clock(hour, firstHalf)}:${minute}-${clock(endHour, endHalf)}:${endMinute}`;
}

function clock(hour: string, half: string | undefined): string {
  const number = Number(hour);
  const is12Hours = half === "am" || half === "pm";
  return String(is12Hours ? (number % 12) + (half === "pm" ? 12 : 0) : number).padStart(2, "0");
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Converts a date or a range of dates in another form, such as `24.12.2026`; undefined if it is still unreadable. */
export function closedMeant(text: string): string | undefined {
  const dates = text
    .trim()
    .toLowerCase()
    .split(/ (?:-|–|to|until|bis) | ?(?:\.\.+|…) ?/)
    .map((one) => dateMeant(one.trim()));
  if (!dates.every((one) => one !== undefined)) return undefined;
  const meant = dates.join("..");
  return readClosed(meant) === undefined ? undefined : meant;
}

function dateMeant(text: string): string | undefined {
  const [year, month, day] = numbersOf(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-");
  return isDate(date) ? date : undefined;
}

/** Returns year, month and day. A date such as `03/04/2026` gives undefined: its first number may be the day or the month. */
function numbersOf(text: string): readonly (string | undefined)[] | undefined {
  const byYear = /^(\d{4})[-/.]?(\d{1,2})[-/.]?(\d{1,2})$/.exec(text);
  if (byYear) return byYear.slice(1);
  const [, first, mark, second, year] = /^(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4})$/.exec(text) ?? [];
  if (year !== undefined) {
    if (mark === "." || Number(first) > 12) return [year, second, first];
    return Number(second) > 12 || first === second ? [year, first, second] : undefined;
  }
  const words = text.split(/[ ,.]+/);
  const month = words.findIndex((word) => MONTHS.some((name) => word.startsWith(name)));
  const [day, yearOfWords] = words
    .filter((_, index) => index !== month)
    .map((word) => word.replace(/(?:st|nd|rd|th)$/, ""));
  if (month < 0 || words.length !== 3) return undefined;
  return [
    yearOfWords,
    String(MONTHS.findIndex((name) => words[month]?.startsWith(name) === true) + 1),
    day,
  ];
}
