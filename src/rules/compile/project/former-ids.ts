import type { Problem } from "../../../config/problem.ts";
import type { PlacedRule } from "./placed-rule.ts";

/** Reports ids under `formerly` that another rule has or claims: state under an id can belong to one rule only. */
export function claimedTwice(placedRules: readonly PlacedRule[]): Problem[] {
  const owners = new Map(placedRules.map(({ rule }) => [rule.id, rule]));
  const problems: Problem[] = [];
  for (const one of placedRules) {
    const { rule } = one;
    for (const [index, former] of rule.formerly.entries()) {
      const owner = owners.get(former);
      owners.set(former, owner ?? rule);
      if (owner === undefined) continue;
      const now = owner.id === former;
      const what = now
        ? `"${former}" is the id of an existing rule`
        : `"${owner.id}" was "${former}", too`;
      const message = `${what} (${owner.file}:${owner.line}): data stored under an id can move to only one rule`;
      const help = now
        ? "remove it here, or give that rule another id"
        : "remove it from one of the two";
      problems.push(one.problemAt(["formerly", index], { code: "former-id-taken", message, help }));
    }
  }
  return problems;
}
