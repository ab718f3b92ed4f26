import { minuteAfter, minuteBefore, replayReach } from "../../../../runtime/catchup/plan.ts";

/** Milliseconds since the epoch; `to` is not included. */
export interface PickedTime {
  readonly from: number;
  readonly to: number;
}

/** `14:30` */
export function shortTime(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

/** `14:30`, or `yesterday 14:30`. */
export function dayTime(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? shortTime(at) : `yesterday ${shortTime(at)}`;
}

/** As an input of date and time takes it, by the clock on the wall. */
export function inputText(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** What of a gap a replay can bring just now; undefined while nothing. */
export function replayable({ from, to }: PickedTime, now: number): PickedTime | undefined {
  const { oldest, latestFrom, latestTo } = replayReach(now);
  const begin = Math.max(oldest, Math.min(minuteBefore(from), latestFrom));
  const end = Math.min(minuteAfter(to), latestTo);
  return begin < end && end > from ? { from: begin, to: end } : undefined;
}
