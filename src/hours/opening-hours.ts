import { localTime, putBackBetween, timesShowing } from "./local-time.ts";

/**
 * Time range on some weekdays, in minutes since midnight. If `to` is not after `from`, the range ends on the next day.
 */
export interface OpenStretch {
  /** Days of the week; 0 is Monday. */
  readonly days: ReadonlySet<number>;
  readonly from: number;
  readonly to: number;
}

/** Opening hours in a time zone. */
export interface OpeningHours {
  /** IANA name of the time zone. */
  readonly zone: string;
  readonly open: readonly OpenStretch[];
  /** Ranges of dates without open hours, such as `2026-12-24`. `from` and `to` are inclusive. */
  readonly closed: readonly { readonly from: string; readonly to: string }[];
}

/** Whether `at`, in milliseconds since the epoch, is within `hours`. The end of a range is exclusive. */
export function isOpenAt(hours: OpeningHours, at: number): boolean {
  const { date, dayBefore, weekday, minute } = localTime(at, hours.zone);
  const opens = (day: number, on: string, { days }: OpenStretch) =>
    days.has(day) && !hours.closed.some(({ from, to }) => from <= on && on <= to);
  return hours.open.some((stretch) => {
    const { from, to } = stretch;
    const begun = minute >= from && opens(weekday, date, stretch);
    if (from < to) return begun && minute < to;
    return begun || (minute < to && opens((weekday + 6) % 7, dayBefore, stretch));
  });
}

/** Maximum time that the search for the end of open hours looks ahead, because hours may be open without a break. */
const FARTHEST_MS = 8 * 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/** End of the hours that are open at `at`, to the minute; eight days later if they never end. */
export function endsAt(hours: OpeningHours, at: number): number {
  let until = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  while (isOpenAt(hours, until) && until - at < FARTHEST_MS) until += MINUTE_MS;
  return until;
}

const DAY_MS = 24 * 60 * 60_000;
/** Maximum days that the search for an opening looks ahead; hours that are closed for longer count as never open. */
const MAX_DAYS = 1_100;

/** First open time from `at` on, which may be `at` itself; `undefined` if the hours are never open. */
export function opensAt(hours: OpeningHours, at: number): number | undefined {
  if (isOpenAt(hours, at)) return at;
  const opening = nextOpening(hours, at);
  if (opening === undefined) return undefined;
  // Clocks that are put back may show open hours again, whose beginning was earlier.
  const putBack = putBackBetween(at, opening, hours.zone);
  return putBack === undefined ? opening : opensAt(hours, putBack);
}

/** Returns the first beginning of a range after `at`. */
function nextOpening(hours: OpeningHours, at: number): number | undefined {
  const today = Date.parse(`${localTime(at, hours.zone).date}T00:00:00Z`);
  for (let day = today; day < today + MAX_DAYS * DAY_MS; day += DAY_MS) {
    const date = new Date(day).toISOString().slice(0, 10);
    if (hours.closed.some(({ from, to }) => from <= date && date <= to)) continue;
    const weekday = (((Math.floor(day / DAY_MS) + 3) % 7) + 7) % 7;
    const openings = hours.open
      .filter(({ days }) => days.has(weekday))
      .flatMap(({ from }) => openingsShowing(day + from * MINUTE_MS, hours))
      .filter((time) => time > at);
    if (openings.length > 0) return Math.min(...openings);
  }
  return undefined;
}

/** Returns the instants of a local opening time. If clocks skip that time, returns the first open minute after it. */
function openingsShowing(wall: number, hours: OpeningHours): readonly number[] {
  const { times, skipped } = timesShowing(wall, hours.zone);
  for (let time = skipped?.from ?? Infinity; time <= (skipped?.to ?? 0); time += MINUTE_MS) {
    if (isOpenAt(hours, time)) return [time];
  }
  return times;
}
