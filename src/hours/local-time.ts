/** What a clock on the wall and a calendar show. */
export interface LocalTime {
  /** `2026-12-24`. */
  readonly date: string;
  readonly dayBefore: string;
  /** 0 is Monday. */
  readonly weekday: number;
  /** Minutes that the clock shows since midnight; seconds are a fraction. */
  readonly minute: number;
}

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/** Formats are costly to make. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The format of a time zone; `undefined` where there is no such zone. */
export function zoneFormat(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone);
  if (known) return known;
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
 * What the clocks of a time zone show at a time.
 *
 * @param at Milliseconds since the epoch.
 * @param zone IANA name, known to {@link zoneFormat}.
 */
export function localTime(at: number, zone: string): LocalTime {
  const parts = new Map(
    (zoneFormat(zone)?.formatToParts(at) ?? []).map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  // as if the clock on the wall showed UTC: then days and minutes are those of the wall
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

/** When the clocks of a zone show a time. */
export interface ShownTimes {
  /** Milliseconds since the epoch, earliest first: two where clocks are put back over the time, none where they skip it. */
  readonly times: readonly number[];
  /** Stretch that the clocks skip, where they skip the time. */
  readonly skipped?: { readonly from: number; readonly to: number };
}

/**
 * When the clocks of a zone show a time.
 *
 * @param wall Milliseconds since the epoch, as if the clock on the wall showed UTC.
 * @param zone IANA name, known to {@link zoneFormat}.
 */
export function timesShowing(wall: number, zone: string): ShownTimes {
  const found = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - offsetAt(near, zone));
  const [from, to] = [Math.min(...found), Math.max(...found)];
  const times = [...new Set([from, to])].filter((time) => time + offsetAt(time, zone) === wall);
  return times.length > 0 ? { times } : { times, skipped: { from, to } };
}

/** How far the clocks of a zone are ahead of UTC at a time, in milliseconds. */
export function offsetAt(at: number, zone: string): number {
  const { date, minute } = localTime(at, zone);
  const wall = Date.parse(`${date}T00:00:00Z`) + Math.round(minute * MINUTE_MS);
  return wall - Math.floor(at / 1_000) * 1_000;
}
