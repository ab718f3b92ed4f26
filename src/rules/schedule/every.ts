import { offsetAt, timesShowing } from "../../hours/local-time.ts";

/** Schedule with one time of the day and a period of one or more days. */
export interface Every {
  readonly days: number;
  /** The first date: `2026-01-05`. */
  readonly from: string;
  /** Local time: `09:00`. */
  readonly at: string;
}

const WRITTEN = /^every (\d{1,4})d from (\d{4}-\d{2}-\d{2}) at (\d{2}:\d{2})$/;

/** Formats a schedule for events and journals, in place of a cron expression: `every 14d from 2026-01-05 at 09:00`. */
export function everyInWords({ days, from, at }: Every): string {
  return `every ${days}d from ${from} at ${at}`;
}

/** Parses the format of {@link everyInWords}; `undefined` for a cron expression. */
export function readEvery(text: string): Every | undefined {
  const [, days, from, at] = WRITTEN.exec(text) ?? [];
  return days === undefined || from === undefined || at === undefined
    ? undefined
    : { days: Number(days), from, at };
}

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/**
 * Returns the first scheduled time later than `after`. Result and `after` are in milliseconds since the epoch.
 *
 * If clocks skip the time of the day, the result is directly after the skipped time. If clocks show it twice, the first
 * time counts.
 */
export function everyAfter({ days, from, at }: Every, zone: string, after: number): number {
  const first = Date.parse(`${from}T${at}:00Z`);
  const period = days * DAY_MS;
  // subtracts two days, more than any time zone's offset from UTC, so that no scheduled time is skipped
  const passed = Math.max(0, Math.floor((after - first - 2 * DAY_MS) / period));
  for (let wall = first + passed * period; ; wall += period) {
    const moment = momentShowing(wall, zone);
    if (moment > after) return moment;
  }
}

function momentShowing(wall: number, zone: string): number {
  const { times, skipped } = timesShowing(wall, zone);
  let [moment = skipped?.from ?? wall] = times;
  while (moment < (skipped?.to ?? 0) && moment + offsetAt(moment, zone) < wall) moment += MINUTE_MS;
  return moment;
}
