import { minuteAfter, minuteBefore, replayReach } from "../../../../runtime/records.ts";

/** Selected period in milliseconds since the epoch; `to` is exclusive. */
export interface PickedTime {
  readonly from: number;
  readonly to: number;
}

/** Formats a time, such as `14:30`. */
export function shortTime(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** Formats a time with its day, such as `14:30` or `yesterday 14:30`. */
export function dayTime(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? shortTime(at) : `yesterday ${shortTime(at)}`;
}

/** Formats a time as the value of a `datetime-local` input, in local time. */
export function inputText(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns the part of a gap that the platform can replay now; undefined if there is none. */
export function replayable({ from, to }: PickedTime, now: number): PickedTime | undefined {
  const { oldest, latestFrom, latestTo } = replayReach(now);
  const begin = Math.max(oldest, Math.min(minuteBefore(from), latestFrom));
  const end = Math.min(minuteAfter(to), latestTo);
  return begin < end && end > from ? { from: begin, to: end } : undefined;
}
