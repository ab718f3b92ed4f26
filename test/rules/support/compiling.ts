import { compile } from "../../../src/rules/compile/compile.ts";
import type { Ruleset } from "../../../src/rules/ruleset.ts";

/** The ruleset of a text without errors; what is only pointed out is no matter here. */
export function rulesetOf(text: string): Ruleset {
  const { ruleset, problems } = compile([{ path: "a.yaml", text: `version: 1\n${text}` }]);
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(JSON.stringify(errors, null, 2));
  return ruleset;
}

/** A ruleset of one rule on direct messages with the given conditions, as YAML flow. */
export function ruleWith(conditions: string): Ruleset {
  return rulesetOf(
    `rules: [{id: a, triggers: [dm.received], conditions: ${conditions}, actions: [{reply_dm: hi}]}]`,
  );
}
