import { Cron } from "croner";
import { everyAfter, readEvery } from "./every.ts";

/** Recurring times in a time zone. */
export interface Schedule {
  /** Five fields: minute, hour, day of the month, month, day of the week; or the format of `everyInWords`. */
  readonly cron: string;
  /** IANA name of the time zone. */
  readonly zone: string;
}

/** Parsed schedule, with the result of the last search for its next time. */
interface KnownSchedule {
  readonly momentAfter: (after: number) => number | undefined;
  /** `next` is the first scheduled time later than `after`. */
  after: number;
  next: number | undefined;
}

/** Cache by zone and expression: expressions are costly to parse, and the same next time is needed repeatedly. */
const cachedSchedules = new Map<string, KnownSchedule>();
/** Maximum number of cached schedules. */
const MAX_CACHED_SCHEDULES = 10_000;

/**
 * Returns the next time of a schedule, in milliseconds since the epoch; `undefined` if there is none.
 *
 * If clocks are put forward and skip a fixed time of the schedule, the result is after the change. If clocks are put
 * back and show a fixed time twice, only the first time counts. Recurring times within an hour follow local time.
 *
 * @param after Milliseconds since the epoch; the result is later.
 * @throws {TypeError | RangeError} when the schedule can't be read: `cronFault` explains why.
 */
export function momentAfter(schedule: Schedule, after: number): number | undefined {
  const cachedSchedule = knownOf(schedule);
  if (after < cachedSchedule.after || after >= (cachedSchedule.next ?? Infinity)) {
    cachedSchedule.next = cachedSchedule.momentAfter(after);
    cachedSchedule.after = after;
  }
  return cachedSchedule.next;
}

/** Returns the latest time of a schedule that is later than `after` and not later than `upTo`. */
export function latestMoment(
  schedule: Schedule,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): number | undefined {
  let next = momentAfter(schedule, after);
  if (next === undefined || next > upTo) return undefined;
  // a schedule of each minute has 525,600 times a year: searches backwards from the end, in growing spans
  for (let span = MINUTE_MS; upTo - span > next; span *= 2) {
    const laterMoment = momentAfter(schedule, upTo - span);
    if (laterMoment === undefined || laterMoment > upTo) continue;
    next = laterMoment;
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
  let cachedSchedule = cachedSchedules.get(name);
  if (cachedSchedule !== undefined) return cachedSchedule;
  cachedSchedule = { momentAfter: finder(cron, zone), after: Infinity, next: undefined };
  if (cachedSchedules.size >= MAX_CACHED_SCHEDULES) cachedSchedules.clear();
  cachedSchedules.set(name, cachedSchedule);
  return cachedSchedule;
}

function finder(cron: string, zone: string): KnownSchedule["momentAfter"] {
  const every = readEvery(cron);
  if (every !== undefined) return (after) => everyAfter(every, zone, after);
  const expression = newCron(cron, zone);
  return (after) => expression.nextRun(new Date(after))?.getTime();
}

/**
 * Replaces ranges with steps in the fields for minute and hour by lists: `0 2-8/3 * * *` becomes `0 2,5,8 * * *`. The
 * parser would take their times for recurring ones, which clocks show twice or skip.
 */
function withLists(cron: string): string {
  const [minute = "", hour = "", ...days] = cron.trim().split(/\s+/);
  return [listIn(minute, 60), listIn(hour, 24), ...days].join(" ");
}

/** @param size Number of values of the field. A range or step beyond it is returned unchanged: the parser refuses it. */
function listIn(field: string, size: number): string {
  return field.replaceAll(/(?<![^,])(\d+)-(\d+)\/(\d+)(?![^,])/g, (range, ...parts: string[]) => {
    const [from = 0, to = 0, step = 0] = parts.slice(0, 3).map(Number);
    if (from > to || to >= size || step === 0 || step > size) return range;
    return Array.from(
      { length: Math.floor((to - from) / step) + 1 },
      (_, n) => from + n * step,
    ).join();
  });
}

/** @throws when `cron` can't be read. */
export function newCron(cron: string, zone: string): Cron {
  return new Cron(withLists(cron), {
    timezone: zone,
    mode: "5-part",
    fixedTimeRule: "no-wildcard",
    paused: true,
  });
}
