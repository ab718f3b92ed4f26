import { actionKind } from "../../../actions/actions.ts";
import type { Problem } from "../../../config/problem.ts";
import { actionTypes } from "../../run/step.ts";
import type { PlacedRule } from "./placed-rule.ts";

/** Action of one rule that starts another rule, whose trigger has `direction: outbound`. */
interface Link {
  readonly to: PlacedRule;
  /** Description for the message: the step's verb, and the trigger of the other rule. */
  readonly by: string;
}

/** Reports rules that trigger each other in an endless loop, without a cooldown or limit. */
export function loopsOfRules(placedRules: readonly PlacedRule[]): Problem[] {
  const listening = placedRules.filter(
    ({ rule }) =>
      rule.enabled &&
      rule.stage === "live" &&
      rule.cooldown === undefined &&
      rule.limit === undefined &&
      rule.triggers.some(({ direction }) => direction === "outbound"),
  );
  const reportedIds = new Set<string>();
  return listening.flatMap((start) => {
    const way = wayBack(start, listening);
    const ids = way.map(({ to }) => to.rule.id);
    // a rule that triggers itself is reported when it is compiled
    if (way.length < 2 || ids.some((id) => reportedIds.has(id))) return [];
    for (const id of ids) reportedIds.add(id);
    const steps = way.map(({ by, to }) => `${by} -> ${to.rule.id}`).join(" -> ");
    const at = start.rule.triggers.findIndex(({ direction }) => direction === "outbound");
    return start.problemAt(["triggers", at], {
      code: "reply-loop",
      message: `these rules start each other endlessly: ${start.rule.id} -> ${steps}`,
      help: "drop  direction: outbound  in one of them, or add  cooldown: {per: conversation, for: 1h}",
    });
  });
}

/** Returns the shortest loop from a rule back to itself; empty if there is none. */
function wayBack(start: PlacedRule, rules: readonly PlacedRule[]): readonly Link[] {
  const ways: (readonly Link[])[] = [[]];
  const seen = new Set<PlacedRule>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const last = way.at(-1)?.to ?? start;
    for (const link of linksOf(last, rules)) {
      if (link.to === start) return [...way, link];
      if (seen.has(link.to)) continue;
      seen.add(link.to);
      ways.push([...way, link]);
    }
  }
  return [];
}

function linksOf({ rule }: PlacedRule, rules: readonly PlacedRule[]): readonly Link[] {
  const caused = actionTypes(rule.actions).flatMap((type) =>
    actionKind(type).echo.triggers.map((trigger) => ({ type, trigger })),
  );
  return rules.flatMap((to) => {
    const cause = caused.find(({ trigger }) =>
      to.rule.triggers.some((one) => one.direction === "outbound" && one.trigger === trigger),
    );
    return cause ? [{ to, by: `${cause.type} -> ${cause.trigger} (outbound)` }] : [];
  });
}
