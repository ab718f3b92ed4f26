import type { Trigger } from "../../events/triggers.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { allSteps } from "../../rules/run.ts";

/** Triggers that any rule or bot listens to, steps that wait for somebody included. */
export function listenedTo(
  { rules }: Ruleset,
  bots: readonly { readonly triggers: readonly Trigger[] }[],
): ReadonlySet<Trigger> {
  const ofRules = rules
    .filter(({ enabled, stage }) => enabled && stage !== "draft")
    .flatMap(({ triggers, actions, onError }) => [
      ...triggers.map(({ trigger }) => trigger),
      ...allSteps([...actions, ...onError]).flatMap(({ listens }) => listens?.trigger ?? []),
    ]);
  return new Set([...ofRules, ...bots.flatMap((bot) => bot.triggers)]);
}
