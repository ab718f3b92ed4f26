import type { CompiledRule } from "../../rules/ruleset.ts";

/** What rules find around them, wherever they are at work. */
export interface RuleSetting {
  /** The bot account. */
  readonly account: { readonly id: string; readonly username: string };
  /** Absolute path of a module that a rule file calls, as written there. */
  readonly resolveModule: (ruleFile: string, module: string) => string;
  /** Values of the secrets that a rule reads, by name. */
  readonly secretsOf: (rule: CompiledRule) => Readonly<Record<string, string>>;
}
