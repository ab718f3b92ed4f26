import { compile } from "../../../src/rules/compile/compile.ts";
import type { NamedFiles } from "../../../src/rules/named-files.ts";
import type { Ruleset } from "../../../src/rules/ruleset.ts";

/**
 * Compiles a text without errors to a ruleset; ignores warnings.
 *
 * @param named Texts of the files that the rule file names, by path.
 */
export function rulesetOf(text: string, named: NamedTexts = {}): Ruleset {
  const { ruleset, problems } = compile([
    { path: "a.yaml", text: `version: 1\n${text}`, named: filesOf(named) },
  ]);
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(JSON.stringify(errors, null, 2));
  return ruleset;
}

/** Converts texts by path to the type that the compiler expects for files that were read. */
export function filesOf(texts: NamedTexts): NamedFiles {
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, { text }]));
}

type NamedTexts = Readonly<Record<string, string>>;

/** Compiles one rule on direct messages with these conditions, written as YAML flow. */
export function ruleWith(conditions: string): Ruleset {
  return rulesetOf(
    `rules: [{id: a, triggers: [dm.received], conditions: ${conditions}, actions: [{reply_dm: hi}]}]`,
  );
}
