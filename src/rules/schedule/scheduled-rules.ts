import type { CompiledRule, Ruleset } from "../ruleset.ts";
import type { Schedule } from "./schedule.ts";

/** A schedule of a rule. */
export interface ScheduledRule extends Schedule {
  /** Id of the rule. */
  readonly rule: string;
  /** Ids that it had. */
  readonly formerly: readonly string[];
  /** Whether it is a schedule of an account's, too. */
  isFor(account: ScheduledAccount): boolean;
}

/** One of the bot's accounts. */
export interface ScheduledAccount {
  readonly id: string;
  /** The handle, without `@`. */
  readonly username: string;
}

const found = new WeakMap<Ruleset, readonly ScheduledRule[]>();

/** The schedules of all rules that are evaluated; looked for once in a ruleset. */
export function scheduledRules(ruleset: Ruleset): readonly ScheduledRule[] {
  let schedules = found.get(ruleset);
  if (schedules === undefined) {
    schedules = ruleset.candidates(["schedule"]).flatMap(schedulesOf);
    found.set(ruleset, schedules);
  }
  return schedules;
}

function schedulesOf(rule: CompiledRule): readonly ScheduledRule[] {
  const { enabled, stage, account, formerly } = rule;
  if (!enabled || stage === "draft") return [];
  const isFor = ({ id, username }: ScheduledAccount): boolean =>
    account === undefined || account === id || account === username.toLowerCase();
  const named = new Map(
    rule.triggers.flatMap(({ schedule }) =>
      schedule === undefined ? [] : [[`${schedule.zone} ${schedule.cron}`, schedule] as const],
    ),
  );
  return [...named.values()].map(({ cron, zone }) => ({
    cron,
    zone,
    rule: rule.id,
    formerly,
    isFor,
  }));
}
