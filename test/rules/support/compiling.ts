import { compile } from "../../../src/rules/compile/compile.ts";
import type { Ruleset } from "../../../src/rules/ruleset.ts";

/** The ruleset of a text that must be right. */
export function rulesetOf(text: string): Ruleset {
  const { ruleset, problems } = compile([{ path: "a.yaml", text: `version: 1\n${text}` }]);
  if (problems.length > 0) throw new Error(JSON.stringify(problems, null, 2));
  return ruleset;
}

/** A ruleset of one rule on direct messages with the given conditions, as YAML flow. */
export function ruleWith(conditions: string): Ruleset {
  return rulesetOf(
    `rules: [{id: a, triggers: [dm.received], conditions: ${conditions}, actions: [{reply_dm: hi}]}]`,
  );
}
