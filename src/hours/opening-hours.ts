import { localTime } from "./local-time.ts";

/** A stretch of a day, in minutes since its midnight; one that ends before it begins ends the day after. */
export interface OpenStretch {
  /** 0 is Monday. */
  readonly days: ReadonlySet<number>;
  readonly from: number;
  readonly to: number;
}

/** When somebody is there, by the clock of a place. */
export interface OpeningHours {
  /** IANA name of the time zone. */
  readonly zone: string;
  readonly open: readonly OpenStretch[];
  /** Dates on which nothing opens, both ends included: `2026-12-24`. */
  readonly closed: readonly { readonly from: string; readonly to: string }[];
}

/** Whether `at`, in milliseconds since the epoch, lies within `hours`. The end of a stretch does not. */
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

/** No stretch is looked at beyond this: hours that are always on end nowhere. */
const FARTHEST_MS = 8 * 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/** When hours that are on at `at` are over, to the minute; eight days later where they never are. */
export function endsAt(hours: OpeningHours, at: number): number {
  let until = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  while (isOpenAt(hours, until) && until - at < FARTHEST_MS) until += MINUTE_MS;
  return until;
}
