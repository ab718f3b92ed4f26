import { ConfigError, hasErrors, type Problem } from "../../config/problem.ts";
import type { Ruleset } from "../ruleset.ts";
import { compile, type SourceFile } from "./compile.ts";

/** Text of a rule file from any source. */
export interface RuleText {
  /** YAML of a rule file, with `version: 1` and `rules:`. */
  readonly text: string;
  /** Shown in problems; `call` steps start from its folder. `rules-1.yaml` and so on unless given. */
  readonly path?: string;
}

/** Rules that can decide. */
export interface CompiledRules {
  readonly ruleset: Ruleset;
  /** Warnings: what is allowed and may not be meant. */
  readonly problems: readonly Problem[];
}

/**
 * Compiles rules for a test or for inspection. Throws if any rule has an error.
 *
 * @param rules The text of one rule file, or several texts.
 * @throws {ConfigError} naming file, line and column of every mistake.
 *
 * @example
 * const { ruleset } = compileRules(await readFile("config/rules/faq.yaml", "utf8"));
 * const { runs } = decide(event, ruleset, { now: Date.now() });
 */
export function compileRules(rules: string | readonly RuleText[]): CompiledRules {
  const { ruleset, problems } = compile(
    sourceFiles(typeof rules === "string" ? [{ text: rules }] : rules),
  );
  if (hasErrors(problems)) throw new ConfigError(problems);
  return { ruleset, problems };
}

/** Texts with a path each. */
export function sourceFiles(texts: readonly RuleText[]): readonly SourceFile[] {
  return texts.map(({ text, path }, index) => ({ text, path: path ?? `rules-${index + 1}.yaml` }));
}
