import { laneOf } from "../lane.ts";
import type { ScheduleEvent, ScheduledMoment } from "../event.ts";
import { part, text } from "../fields.ts";
import { dateAt, flagAt, textAt, type Wire } from "../wire.ts";
import type { Delivery, EventKind } from "./event-kind.ts";

const SCHEDULE = {
  rule: text((moment: ScheduledMoment) => moment.rule),
  cron: text((moment: ScheduledMoment) => moment.cron),
  zone: text((moment: ScheduledMoment) => moment.zone),
};

export const schedule: EventKind<ScheduleEvent> = {
  wire: { keys: ["answerback_schedule"], read },
  fields: part("schedule", SCHEDULE, (event: ScheduleEvent) => event.schedule),
  counterpart: () => undefined,
};

/** Time of a schedule that is to be stored in the journal. */
export interface DueMoment extends ScheduledMoment {
  /** The scheduled time in milliseconds since the epoch. */
  readonly at: number;
  /**
   * Whether this time has passed only because the clock was moved by hand; see `ScheduleEvent.passedByHand`. Default
   * false.
   */
  readonly passedByHand?: boolean;
}

/** Returns the journal body for an account's due schedules; `translate` reads this body. */
export function scheduleBody(account: string, moments: readonly DueMoment[]): object {
  return {
    for_user_id: account,
    answerback_schedule: moments.map(({ rule, cron, zone, at, passedByHand }) => ({
      rule,
      cron,
      zone,
      at: new Date(at).toISOString(),
      ...(passedByHand === true && { passed_by_hand: true }),
    })),
  };
}

function read(element: Wire, { accountId }: Delivery): ScheduleEvent | undefined {
  const [rule, cron, zone] = ["rule", "cron", "zone"].map((key) => textAt(element, key));
  const at = dateAt(element, "at");
  if (rule === undefined || cron === undefined || zone === undefined || at === undefined) {
    return undefined;
  }
  return {
    kind: "schedule",
    key: `schedule:${rule}:${at}:${zone}:${cron}`,
    accountId,
    at,
    direction: "inbound",
    lane: laneOf(accountId, accountId),
    triggers: ["schedule"],
    schedule: { rule, cron, zone },
    passedByHand: flagAt(element, "passed_by_hand") === true,
  };
}
