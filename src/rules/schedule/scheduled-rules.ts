import type { CompiledRule, Ruleset } from "../ruleset.ts";
import type { Schedule } from "./schedule.ts";

/** Recurring times at which a rule starts without an event of the platform, with the rule's id. */
export interface ScheduledRule extends Schedule {
  /** Id of the rule. */
  readonly rule: string;
  /** Former ids of the rule. */
  readonly formerly: readonly string[];
  /** Returns whether the schedule applies to an account. */
  isFor(account: ScheduledAccount): boolean;
}

/** Bot account for which scheduled rules start. */
export interface ScheduledAccount {
  readonly id: string;
  /** Handle without `@`. */
  readonly username: string;
}

const schedulesByRuleset = new WeakMap<Ruleset, readonly ScheduledRule[]>();

/** Returns the schedules of all enabled rules that are not drafts. Computed once per ruleset. */
export function scheduledRules(ruleset: Ruleset): readonly ScheduledRule[] {
  let schedules = schedulesByRuleset.get(ruleset);
  if (schedules === undefined) {
    schedules = ruleset.candidates(["schedule"]).flatMap(schedulesOf);
    schedulesByRuleset.set(ruleset, schedules);
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
