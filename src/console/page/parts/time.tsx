import { clockOffset, clocksDiffer, NOTABLE_MS, today } from "./clock.ts";
import { timeText } from "./duration.ts";

export interface TimeProps {
  /** Time to show: milliseconds since the epoch, or ISO 8601. */
  readonly at: number | string;
  /** Whether a time of the current day has its date too. Times of other days always have it. */
  readonly withDate?: boolean;
  /** Clock that `at` was read from. A time of the machine's clock is converted to the bot's clock. Default: `bot`. */
  readonly clock?: "bot" | "machine";
  /** Time of this machine's clock at the moment `at`, if it was recorded. */
  readonly machineAt?: number;
}

/**
 * Shows a time by the bot's clock, which in a sandbox is the sandbox's clock. If this clock differs from the machine's,
 * the tooltip names the clock.
 */
export function Time({ at, withDate = false, clock = "bot", machineAt }: TimeProps) {
  const originalDate = new Date(at);
  const isMachines = clock === "machine";
  const date = isMachines ? new Date(originalDate.getTime() + clockOffset.value) : originalDate;
  const machine = isMachines ? originalDate.getTime() : machineAt;
  return (
    <time dateTime={date.toISOString()} title={titleOf(date, machine)}>
      {timeText(date, withDate ? "" : today.value)}
    </time>
  );
}

/** Returns the tooltip of a time: ISO 8601, and if the clocks differ, the clock and this machine's time. */
function titleOf(date: Date, machineAt: number | undefined): string {
  const iso = date.toISOString();
  const differs = machineAt !== undefined && Math.abs(machineAt - date.getTime()) >= NOTABLE_MS;
  if (!differs && !clocksDiffer.value) return iso;
  const machines = differs ? `; ${new Date(machineAt).toISOString()} by this machine's clock` : "";
  return `${iso} by the bot's clock${machines}`;
}
