import type { CompiledRule } from "../../rules/ruleset.ts";

/** Account, modules and secrets that rules need when they run. */
export interface RuleSetting {
  /** The bot account. */
  readonly account: { readonly id: string; readonly username: string };
  /** Returns the absolute path of a module that a rule file calls. `module` is the path as written in the rule file. */
  readonly resolveModule: (ruleFile: string, module: string) => string;
  /** Returns the values of the secrets that a rule reads, by name. */
  readonly secretsOf: (rule: CompiledRule) => Readonly<Record<string, string>>;
}
