import * as z from "zod";
import { ruleOf } from "../../insight/kept-run.ts";
import { journalQuery } from "../../runtime/control.ts";
import { operation } from "./operation.ts";
import { runtimeOf } from "./runtime-operations.ts";

/** The bot's timer that is due next. */
export interface NextTimer {
  /** Time at which the timer is due, in milliseconds since the epoch. */
  readonly at: number;
  /** Journal number of the event that started the waiting run. */
  readonly seq: number;
  /** Id of the waiting rule. Absent: the run of a bot module waits. */
  readonly rule?: string;
}

/** Number of latest events in the journal whose waiting runs are searched for the next timer. */
const LOOK_BACK = 1_000;

/** Returns the timer that is due next, among the runs of the latest events; null if there is none. */
export const nextTimer = operation(z.strictObject({}), async (needs): Promise<NextTimer | null> => {
  const { handlers, now } = runtimeOf(needs);
  const rows = await handlers.journal(journalQuery.parse({ limit: LOOK_BACK }));
  const timers = rows.flatMap(({ seq, runs }) =>
    runs.flatMap(({ owner, waitsUntil: at }): readonly NextTimer[] => {
      const rule = ruleOf({ owner });
      return at === undefined || at <= now()
        ? []
        : [{ at, seq, ...(rule !== undefined && { rule }) }];
    }),
  );
  return timers.toSorted((one, other) => one.at - other.at)[0] ?? null;
});
