import * as z from "zod";
import { ruleOf } from "../../insight/kept-run.ts";
import { journalQuery } from "../../runtime/control/stored-schema.ts";
import { operation } from "./operation.ts";
import { runtimeOf } from "./runtime-operations.ts";

/** What the bot waits for by the clock. */
export interface NextTimer {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The event whose run it is. */
  readonly seq: number;
  /** Absent where a bot module waits. */
  readonly rule?: string;
}

/** Runs that wait are looked for among those of so many events. */
const LOOK_BACK = 1_000;

/** The first timer to come that a run of the latest events waits for; none: null. */
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
