import type { AccountEvent } from "../../events/event.ts";
import { type DueMoment, scheduleBody } from "../../events/kinds/schedule.ts";
import { translate } from "../../events/translate.ts";
import { entryOf, type Rehearsal } from "../rehearsal/rehearsal.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { momentAfter, type ScheduledAccount, scheduledRules } from "../../rules/schedule.ts";

interface InTime {
  readonly ruleset: Ruleset;
  readonly account: ScheduledAccount;
  /** Stores the event of a scheduled time, so that the test can later read the event by its key. */
  readonly keep: (event: AccountEvent) => void;
}

/** Advances the virtual time to `time`. Delivers an event for each scheduled time that is passed. */
export async function goThroughMoments(
  rehearsal: Rehearsal,
  inTime: InTime,
  time: number,
): Promise<void> {
  for (;;) {
    const moments = nextMoments(inTime, rehearsal.now);
    const [first] = moments;
    if (first === undefined || first.at > time) break;
    await rehearsal.advanceTo(first.at);
    const body = scheduleBody(inTime.account.id, moments);
    for (const { event } of translate(body, first.at)) {
      inTime.keep(event);
      await rehearsal.deliver(entryOf(event, first.at, "{}"));
    }
  }
  await rehearsal.advanceTo(time);
}

/** Returns the next time after `now` at which schedules are due, once for each schedule that is due then. */
function nextMoments({ ruleset, account }: InTime, now: number): readonly DueMoment[] {
  const all = scheduledRules(ruleset).flatMap((schedule) => {
    const { rule, cron, zone } = schedule;
    const at = schedule.isFor(account) ? momentAfter({ cron, zone }, now) : undefined;
    return at === undefined ? [] : [{ rule, cron, zone, at }];
  });
  const first = Math.min(...all.map(({ at }) => at));
  return all.filter(({ at }) => at === first);
}
