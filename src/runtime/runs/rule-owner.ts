import type { AccountEvent } from "../../events/event.ts";
import type { CompiledRule } from "../../rules/ruleset.ts";
import { type StoredRun, whose } from "../store/run.ts";

const OWNER = "rule:";

/** The owner of a rule's runs. */
export function ownerOf(ruleId: string): string {
  return `${OWNER}${ruleId}`;
}

/** The owner of a run that `event` starts: one event may make a rule run by several counts, once by each. */
export function ownerOfRun({ id, triggers }: CompiledRule, event: AccountEvent): string {
  const isOnlyOne = event.kind !== "count" || triggers.length === 1;
  return isOnlyOne ? ownerOf(id) : `${ownerOf(id)}#${event.count.name}@${event.count.value}`;
}

/** The rule of `owner`. */
export function ruleIdOf(owner: string): string {
  return whose(owner).slice(OWNER.length);
}

/** Whether a rule owns the run; else a bot does. */
export function isRuleRun({ owner }: Pick<StoredRun, "owner">): boolean {
  return owner.startsWith(OWNER);
}
