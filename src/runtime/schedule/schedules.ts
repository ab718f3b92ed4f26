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
import { type MomentMemory, momentMemory } from "./moment-memory.ts";

/** Puts the moments of rules' schedules into the journal as they come. */
export interface Schedules {
  /** Rules or accounts have changed, or the clock was moved: look now. */
  wake(): void;
  /** Looks no more, and resolves when the look under way has ended. */
  stop(): Promise<void>;
}

export interface SchedulesNeeds {
  /** The rules that decide now. */
  readonly ruleset: () => Ruleset;
  /** The accounts that are answered for now. */
  readonly accounts: () => readonly ScheduledAccount[];
  /** How what comes by a source goes into the journal. */
  readonly keepAs: (source: EntrySource) => Append;
  /** Remembers up to when each schedule was looked at. */
  readonly memory: MomentMemory;
  readonly clock: Clock;
  readonly log: Log;
}

/** A clock may be set, or the machine may have slept: so often it is looked at anyway. Real milliseconds. */
const LOOK_EVERY_MS = 30_000;
/** With no schedule nobody looks, until somebody wakes it. */
const NOTHING_TO_DO_MS = 2 ** 31 - 1;
const RETRY_MS = 5_000;
/** What comes in later than this was missed. */
const MISSED_AFTER_MS = 60_000;

/**
 * Looks for moments that have come, from now on; the first look is at what was missed.
 *
 * A moment is an entry with a key of its own, so it is kept once, whoever looks: after a crash, in two processes, by a
 * clock that was set back. Of several moments of one schedule that have come meanwhile the latest is kept.
 */
export function startSchedules(needs: SchedulesNeeds): Schedules {
  const { ruleset, clock, log } = needs;
  const moments = momentMemory(needs.memory);
  const state = { looked: false, jumped: false };

  const turn = async (): Promise<number> => {
    const schedules = scheduledRules(ruleset());
    if (schedules.length === 0 && !moments.remembers) return NOTHING_TO_DO_MS;
    // Before the first look nobody was there: what the clock has passed over was missed.
    const isJump = state.jumped && state.looked;
    state.jumped = false;
    try {
      await moments.load();
      const next = await look(schedules, isJump);
      state.looked = true;
      if (schedules.length === 0) return NOTHING_TO_DO_MS;
      return Math.min(LOOK_EVERY_MS, Math.max(1, next - clock.now()));
    } catch (error) {
      state.jumped ||= isJump;
      log.warn({ err: error }, "moments of schedules were not kept; trying again");
      return RETRY_MS;
    }
  };

  /** @returns When the next moment is. */
  const look = async (schedules: readonly ScheduledRule[], isJump: boolean): Promise<number> => {
    const now = clock.now();
    const seen = new Set<string>();
    let nextOfAll = Infinity;
    for (const account of needs.accounts()) {
      const due: DueMoment[] = [];
      for (const schedule of schedules) {
        if (!schedule.isFor(account)) continue;
        const { name, after } = moments.of(schedule, account.id, now);
        seen.add(name);
        const at = latestMoment(schedule, { after, upTo: now });
        if (at !== undefined) {
          const { rule, cron, zone } = schedule;
          due.push({ rule, cron, zone, at, passedByHand: isJump });
        }
        nextOfAll = Math.min(nextOfAll, momentAfter(schedule, now) ?? Infinity);
      }
      await keep(account.id, due, now, isJump);
      for (const one of due) moments.looked(one, account.id, one.at);
    }
    moments.forgetAllBut(seen);
    await moments.save();
    return nextOfAll;
  };

  const keep = async (
    account: string,
    due: readonly DueMoment[],
    now: number,
    isJump: boolean,
  ): Promise<void> => {
    const isMissed = ({ at }: DueMoment): boolean => !isJump && now - at > MISSED_AFTER_MS;
    const bySource = [
      ["schedule", due.filter((one) => !isMissed(one))],
      ["backfill", due.filter(isMissed)],
    ] as const;
    for (const [source, moments] of bySource) {
      if (moments.length === 0) continue;
      const body = scheduleBody(account, moments);
      await needs.keepAs(source)(body, JSON.stringify(body));
    }
  };

  const loop = pacedLoop(turn);
  const unfollow = clock.onJump(() => {
    state.jumped = true;
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
