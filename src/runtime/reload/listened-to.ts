import type { Trigger } from "../../events/triggers.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { allSteps } from "../../rules/run.ts";

/** Returns the triggers of all rules and bots, including the triggers for which steps wait. */
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
