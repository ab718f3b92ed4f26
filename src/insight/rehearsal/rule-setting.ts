import type { CompiledRule } from "../../rules/ruleset.ts";

/** Surroundings that rules need wherever they run. */
export interface RuleSetting {
  /** The bot account. */
  readonly account: { readonly id: string; readonly username: string };
  /** Returns the absolute path of a module that a rule file calls; `module` is the path as written there. */
  readonly resolveModule: (ruleFile: string, module: string) => string;
  /** Returns the values of the secrets that a rule reads, by name. */
  readonly secretsOf: (rule: CompiledRule) => Readonly<Record<string, string>>;
}
