import type { Ruleset } from "../../rules/ruleset.ts";

/** Names of the texts that are changed, added or removed between two versions of a set, such as ids of rules. */
export interface Changes {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Returns the ids of the rules that are changed, added or removed, by their revisions. */
export function ruleChanges(before: Ruleset, after: Ruleset): Changes {
  const revisions = ({ rules }: Ruleset): ReadonlyMap<string, string> =>
    new Map(rules.map(({ id, revision }) => [id, revision]));
  return changesOf(revisions(before), revisions(after));
}

/** Compares two versions of a set of texts, each a map from name to text. @param before Previous version. */
export function changesOf(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Changes {
  const names = [...after.keys()];
  return {
    changed: names.filter((name) => before.has(name) && before.get(name) !== after.get(name)),
    added: names.filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  };
}

/** Maximum number of names that a log message lists. */
const MAX_NAMES = 10;

/** Describes changes: `changed greet, bye; added hours`. */
export function changesInWords(changes: Changes): string {
  const parts = (["changed", "added", "removed"] as const).map((how) => {
    const names = changes[how];
    const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
    return names.length === 0 ? "" : `${how} ${names.slice(0, MAX_NAMES).join(", ")}${more}`;
  });
  return parts.filter((part) => part !== "").join("; ") || "their order";
}
