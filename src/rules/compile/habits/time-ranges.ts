import { DURATION } from "../../../system/duration.ts";

const DAY_MS = 86_400_000;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
/** Matches the ISO text that expressions see for a time. No other text is equal to a time. */
const SEEN_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns a written day as `2026-12-24`, for `24.12.2026`, `2026/12/24` and `12/24/2026`; undefined for other texts. */
export function isoDay(text: string): string | undefined {
  const [, y1, m1, d1] = /^\s*(\d{4})[-/.](\d\d?)[-/.](\d\d?)\s*$/.exec(text) ?? [];
  const [, a, sign, b, y2] = /^\s*(\d\d?)([-/.])(\d\d?)\2(\d{4})\s*$/.exec(text) ?? [];
  // with slashes, most writers put the month first
  const isMonthFirst = sign === "/" ? Number(a) <= 12 : Number(b) > 12;
  const [month, day] = y1 !== undefined ? [m1, d1] : isMonthFirst ? [a, b] : [b, a];
  const iso = `${y1 ?? y2 ?? ""}-${month?.padStart(2, "0") ?? ""}-${day?.padStart(2, "0") ?? ""}`;
  const ms = Date.parse(iso);
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(iso) ? undefined : iso;
}

/** Returns whether comparing a time with `text` letter by letter gives something else than the text means. */
export function isOtherTime(sign: string, text: string): boolean {
  if (text.trim() === "" || SEEN_TIME.test(text)) return false;
  if (/^(?:[!=]=|in)$/.test(sign)) return true;
  // the range ends where the day begins, and a person means its end
  if (sign === "<=" && isoDay(text) !== undefined) return true;
  return !/^\s*\d{4}-\d\d/.test(text) || /[+-]\d\d:\d\d$/.test(text);
}

/** Returns the comparison of a field with a day or a time that means what the text means; undefined for other texts. */
export function comparedWithTime(field: string, sign: string, text: string): string | undefined {
  const isEqual = sign === "==" || sign === "in";
  if (INSTANT.test(text))
    return `timestamp(${field}) ${isEqual ? "==" : sign} timestamp(${JSON.stringify(text)})`;
  const day = isoDay(text);
  const begin = day ?? /^\d{4}(?:-\d\d)?$/.exec(text)?.[0];
  if (begin !== undefined && isEqual) return `${field}.startsWith("${begin}")`;
  if (begin !== undefined && sign === "!=") return `${field}.startsWith("${begin}") == false`;
  if (day === undefined) return undefined;
  const next = new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
  if (sign === "<=") return `${field} < "${next}"`;
  return sign === ">" ? `${field} >= "${next}"` : `${field} ${sign} "${day}"`;
}

/**
 * Returns the condition on a time between two bounds, which are days, times, times of day or ages; undefined for other
 * bounds. A bound may be absent.
 *
 * @param signs Signs by which the field is compared with the bounds, such as `>=` and `<=`.
 */
export function timesBetween(
  field: string,
  bounds: readonly [from: unknown, to: unknown],
  signs: readonly [string, string],
): string | undefined {
  const [from, to] = bounds.map((one) => (typeof one === "string" ? one.trim() : one));
  const isAge = (one: unknown) => typeof one === "string" && DURATION.test(one);
  if (isAge(from) && isAge(to))
    return `${field}: { older_than: ${String(from)}, newer_than: ${String(to)} }`;
  const [opens, closes] = [clockTime(from ?? "00:00"), clockTime(to ?? "24:00")];
  if (opens !== undefined && closes !== undefined) {
    return `${field}: { within: open }  and at the top of the file  hours: { open: { zone: Europe/Berlin, open: ["mon-sun ${opens}-${closes}"] } }`;
  }
  const tests = [from, to].flatMap((bound, index) =>
    bound === undefined ? [] : [comparedWithTime(field, signs[index] ?? "", asText(bound))],
  );
  // an expression that reads what may be absent has to test its presence
  const present = /^state\.|\.(?:quoted|reposted)\./.test(field) ? [`has(${field})`] : [];
  return tests.includes(undefined) ? undefined : `if: ${[...present, ...tests].join(" && ")}`;
}

/** Returns a time of day as `09:00`; also for `9` and `9:00`. */
function clockTime(written: unknown): string | undefined {
  const [, hour, minute = "00"] = /^(\d\d?)(?::(\d\d))?$/.exec(asText(written)) ?? [];
  const isTime = hour !== undefined && Number(hour) * 60 + Number(minute) <= 24 * 60;
  return isTime ? `${hour.padStart(2, "0")}:${minute}` : undefined;
}

function asText(written: unknown): string {
  return typeof written === "number" ? String(written) : typeof written === "string" ? written : "";
}
