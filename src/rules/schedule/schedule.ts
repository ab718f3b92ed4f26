import { Cron } from "croner";
import { everyAfter, readEvery } from "./every.ts";

/** When something recurs: by the clocks of a time zone. */
export interface Schedule {
  /** Five fields: minute, hour, day of the month, month, day of the week; or as `everyInWords` writes it. */
  readonly cron: string;
  /** IANA name. */
  readonly zone: string;
}

/** A schedule, and one stretch in which it has no moment. */
interface KnownSchedule {
  readonly momentAfter: (after: number) => number | undefined;
  /** None comes after this time, and before the next. */
  after: number;
  next: number | undefined;
}

/** Expressions are costly to read, and asked for the same moment again and again. */
const known = new Map<string, KnownSchedule>();
/** So many are kept. */
const MOST_KNOWN = 10_000;

/**
 * The next moment of a schedule, in milliseconds since the epoch; `undefined` where none comes any more.
 *
 * Where clocks are put forward, a fixed time that they skip comes when they have been; where they are put back, it
 * comes the first time only. What recurs within the hour goes by the clock on the wall.
 *
 * @param after Milliseconds since the epoch; not itself one of the moments that are given.
 * @throws {TypeError | RangeError} when the schedule can't be read: `readSchedule` says why.
 */
export function momentAfter(schedule: Schedule, after: number): number | undefined {
  const found = knownOf(schedule);
  if (after < found.after || after >= (found.next ?? Infinity)) {
    found.next = found.momentAfter(after);
    found.after = after;
  }
  return found.next;
}

/** The latest moment of a schedule that is after one time and not after another. */
export function latestMoment(
  schedule: Schedule,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): number | undefined {
  let next = momentAfter(schedule, after);
  if (next === undefined || next > upTo) return undefined;
  // What was missed may be a year of minutes: looked for from the end, in spans that grow.
  for (let span = MINUTE_MS; upTo - span > next; span *= 2) {
    const found = momentAfter(schedule, upTo - span);
    if (found === undefined || found > upTo) continue;
    next = found;
    break;
  }
  for (let latest = next; ; latest = next) {
    next = momentAfter(schedule, latest);
    if (next === undefined || next > upTo) return latest;
  }
}

const MINUTE_MS = 60_000;

function knownOf({ cron, zone }: Schedule): KnownSchedule {
  const name = `${zone} ${cron}`;
  let found = known.get(name);
  if (found !== undefined) return found;
  found = { momentAfter: finder(cron, zone), after: Infinity, next: undefined };
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, found);
  return found;
}

function finder(cron: string, zone: string): KnownSchedule["momentAfter"] {
  const every = readEvery(cron);
  if (every !== undefined) return (after) => everyAfter(every, zone, after);
  const expression = newCron(cron, zone);
  return (after) => expression.nextRun(new Date(after))?.getTime();
}

/** @throws when `cron` can't be read. */
export function newCron(cron: string, zone: string): Cron {
  return new Cron(cron, {
    timezone: zone,
    mode: "5-part",
    fixedTimeRule: "no-wildcard",
    paused: true,
  });
}
