/** Local date and time. */
export interface LocalTime {
  /** Date, such as `2026-12-24`. */
  readonly date: string;
  readonly dayBefore: string;
  /** Day of the week; 0 is Monday. */
  readonly weekday: number;
  /** Local minutes since midnight; seconds are a fraction. */
  readonly minute: number;
}

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/** Cache, because formats are costly to create. */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Abbreviations, which ICU reads as zones: `BST` as Bangladesh, `EST` as a zone without summer time. The excluded names are
 * zones with the clock times that people expect.
 */
const ABBREVIATION = /^(?!CET|EET|GMT|MET|PRC|ROC|ROK|UCT|UTC|WET)[A-Z]{3}$/i;

/** The format of a time zone; `undefined` if the zone does not exist, or if `zone` is an abbreviation. */
export function zoneFormat(zone: string): Intl.DateTimeFormat | undefined {
  if (ABBREVIATION.test(zone)) return undefined;
  const cachedFormat = formats.get(zone);
  if (cachedFormat) return cachedFormat;
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "iso8601",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(zone, format);
    return format;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Returns the local date and time of a zone.
 *
 * @param at Milliseconds since the epoch.
 * @param zone IANA name, known to {@link zoneFormat}.
 */
export function localTime(at: number, zone: string): LocalTime {
  const parts = new Map(
    (zoneFormat(zone)?.formatToParts(at) ?? []).map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  // reads the local time as if it were UTC, to derive local days and minutes
  const wall = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  const day = Math.floor(wall / DAY_MS);
  const dateOf = (days: number) => new Date(days * DAY_MS).toISOString().slice(0, 10);
  return {
    date: dateOf(day),
    dayBefore: dateOf(day - 1),
    weekday: (((day + 3) % 7) + 7) % 7,
    minute: (wall - day * DAY_MS) / MINUTE_MS,
  };
}

/** Instants at which the clocks of a time zone show a local time. */
export interface ShownTimes {
  /**
   * Milliseconds since the epoch, earliest first. Two instants if clocks are put back over the time, none if they skip
   * it.
   */
  readonly times: readonly number[];
  /** For a local time that the clocks skip: instants with the offset after the change (`from`) and before it (`to`). */
  readonly skipped?: { readonly from: number; readonly to: number };
}

/**
 * Returns the instants at which the clocks of a zone show a time.
 *
 * @param wall The local time in milliseconds since the epoch, as if it were UTC.
 * @param zone IANA name, known to {@link zoneFormat}.
 */
export function timesShowing(wall: number, zone: string): ShownTimes {
  const candidateTimes = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - offsetAt(near, zone));
  const [from, to] = [Math.min(...candidateTimes), Math.max(...candidateTimes)];
  const times = [...new Set([from, to])].filter((time) => time + offsetAt(time, zone) === wall);
  return times.length > 0 ? { times } : { times, skipped: { from, to } };
}

/**
 * Returns the first minute after a moment at which the clocks of a zone are put back; `undefined` if they are not, until
 * another moment.
 */
export function putBackBetween(from: number, to: number, zone: string): number | undefined {
  for (let start = from; start < to; start += DAY_MS) {
    let [before, after] = [start, Math.min(start + DAY_MS, to)];
    if (offsetAt(after, zone) >= offsetAt(before, zone)) continue;
    const offset = offsetAt(before, zone);
    while (after - before > MINUTE_MS) {
      const middle = before + Math.floor((after - before) / 2);
      if (offsetAt(middle, zone) < offset) after = middle;
      else before = middle;
    }
    return Math.floor(after / MINUTE_MS) * MINUTE_MS;
  }
  return undefined;
}

/** Offset of a zone from UTC in milliseconds; positive if it is ahead. */
export function offsetAt(at: number, zone: string): number {
  const { date, minute } = localTime(at, zone);
  const wall = Date.parse(`${date}T00:00:00Z`) + Math.round(minute * MINUTE_MS);
  return wall - Math.floor(at / 1_000) * 1_000;
}
