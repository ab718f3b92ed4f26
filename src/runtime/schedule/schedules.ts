import { type DueMoment, scheduleBody } from "../../events/kinds/schedule.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import {
  latestMoment,
  momentAfter,
  type ScheduledAccount,
  type ScheduledRule,
  scheduledRules,
} from "../../rules/schedule.ts";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { pacedLoop } from "../loop/paced-loop.ts";
import type { Append } from "../source.ts";
import type { EntrySource } from "../store/entry.ts";
import { type LatestMoments, type MomentMemory, momentMemory } from "./moment-memory.ts";

/** Appends an event to the journal at each moment when the schedule of a rule is due. */
export interface Schedules {
  /** Checks for due moments now, because rules or accounts have changed. */
  wake(): void;
  /** Stops checking for due moments, and resolves when the current check has ended. */
  stop(): Promise<void>;
}

export interface SchedulesNeeds {
  /** Returns the active rules. */
  readonly ruleset: () => Ruleset;
  /** Returns the accounts that the bot answers for now. */
  readonly accounts: () => readonly ScheduledAccount[];
  /** Returns the function that appends deliveries of a source to the journal. */
  readonly keepAs: (source: EntrySource) => Append;
  /** Remembers the latest moment of each schedule. */
  readonly memory: MomentMemory;
  readonly clock: Clock;
  readonly log: Log;
}

/** Maximum real milliseconds between two checks for due moments: the clock may be set, or the machine may sleep. */
const LOOK_EVERY_MS = 30_000;
/** Pause in milliseconds while no rule has a schedule: the longest possible timer, which `wake` ends. */
const NOTHING_TO_DO_MS = 2 ** 31 - 1;
const RETRY_MS = 5_000;
/** Delay in milliseconds after which a moment (a time at which a schedule is due) counts as missed. */
const MISSED_AFTER_MS = 60_000;

/**
 * Starts to append due moments of schedules to the journal. The first check finds moments missed during downtime.
 *
 * A moment is a journal entry with its own key. It is therefore stored once, even after a crash, with two processes, or
 * after a set-back of the clock. If several moments of one schedule are due, only the latest is stored.
 */
export function startSchedules(needs: SchedulesNeeds): Schedules {
  const { ruleset, clock, log } = needs;
  const moments = momentMemory(needs.memory);
  const state = { looked: false, jumped: false };

  const turn = async (): Promise<number> => {
    const schedules = scheduledRules(ruleset());
    if (schedules.length === 0 && !moments.remembers) return NOTHING_TO_DO_MS;
    // Before the first check, a jump of the clock is the same as downtime: the moments that it passed count as missed.
    const isJump = state.jumped && state.looked;
    state.jumped = clock.isMoving?.() === true;
    try {
      await moments.load();
      const next = await appendDue(schedules, moments, isJump, needs);
      state.looked = true;
      if (schedules.length === 0) return NOTHING_TO_DO_MS;
      return Math.min(LOOK_EVERY_MS, Math.max(1, next - clock.now()));
    } catch (error) {
      state.jumped ||= isJump;
      log.warn({ err: error }, "due schedules could not be stored; retrying");
      return RETRY_MS;
    }
  };

  const loop = pacedLoop(turn);
  const unfollow = clock.onJump(() => {
    state.jumped = clock.jumpsAreCorrections !== true;
    loop.wake();
  });
  loop.wake();
  return {
    wake: () => loop.wake(),
    async stop() {
      unfollow();
      await loop.stop();
    },
  };
}

/**
 * Appends the moments that are due, and remembers them.
 *
 * @param isJump Whether an operator moved the clock. The moments that the clock passed then do not count as missed.
 * @returns Time of the next moment.
 */
async function appendDue(
  schedules: readonly ScheduledRule[],
  moments: LatestMoments,
  isJump: boolean,
  needs: Pick<SchedulesNeeds, "accounts" | "clock" | "keepAs">,
): Promise<number> {
  const now = needs.clock.now();
  const seen = new Set<string>();
  let nextOfAll = Infinity;
  for (const account of needs.accounts()) {
    const due: DueMoment[] = [];
    for (const schedule of schedules.filter((one) => one.isFor(account))) {
      const { name, after } = moments.of(schedule, account.id, now);
      seen.add(name);
      const at = latestMoment(schedule, { after, upTo: now });
      const { rule, cron, zone } = schedule;
      if (at !== undefined) due.push({ rule, cron, zone, at, passedByHand: isJump });
      nextOfAll = Math.min(nextOfAll, momentAfter(schedule, now) ?? Infinity);
    }
    const isMissed = ({ at }: DueMoment): boolean => !isJump && now - at > MISSED_AFTER_MS;
    const onTime = due.filter((one) => !isMissed(one));
    await append(onTime, account.id, needs.keepAs("schedule"));
    await append(due.filter(isMissed), account.id, needs.keepAs("backfill"));
    for (const one of due) moments.recordMoment(one, account.id, one.at);
  }
  moments.forgetAllBut(seen);
  await moments.save();
  return nextOfAll;
}

async function append(
  moments: readonly DueMoment[],
  account: string,
  journal: Append,
): Promise<void> {
  if (moments.length === 0) return;
  const body = scheduleBody(account, moments);
  await journal(body, JSON.stringify(body));
}
