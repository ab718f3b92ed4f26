import { clockOffset, clocksDiffer, NOTABLE_MS } from "./clock.ts";

export interface TimeProps {
  /** Milliseconds since the epoch, or ISO 8601. */
  readonly at: number | string;
  readonly withDate?: boolean;
  /** Clock of `at`: the bot's by default. A machine's time is shown by the bot's clock. */
  readonly clock?: "bot" | "machine";
  /** The same moment by this machine's clock, where it is known. */
  readonly machineAt?: number;
}

/** A moment by the bot's clock, the sandbox's where it has one. The title names the clock where the two differ. */
export function Time({ at, withDate = false, clock = "bot", machineAt }: TimeProps) {
  const given = new Date(at);
  const isMachines = clock === "machine";
  const date = isMachines ? new Date(given.getTime() + clockOffset.value) : given;
  const machine = isMachines ? given.getTime() : machineAt;
  const text = withDate
    ? `${date.toLocaleDateString("en-CA")} ${clockTime(date)}`
    : clockTime(date);
  return (
    <time dateTime={date.toISOString()} title={titleOf(date, machine)}>
      {text}
    </time>
  );
}

/** The ISO time, with its clock and the machine's time where the two clocks differ. */
function titleOf(date: Date, machineAt: number | undefined): string {
  const iso = date.toISOString();
  const differs = machineAt !== undefined && Math.abs(machineAt - date.getTime()) >= NOTABLE_MS;
  if (!differs && !clocksDiffer.value) return iso;
  const machines = differs ? `; ${new Date(machineAt).toISOString()} by this machine's clock` : "";
  return `${iso} by the bot's clock${machines}`;
}

/** Made once: a feed has hundreds of times. */
const dayClock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

function clockTime(date: Date): string {
  return dayClock.format(date);
}
