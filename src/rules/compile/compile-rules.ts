import { ConfigError, hasErrors, type Problem } from "../../config/problem.ts";
import type { Ruleset } from "../ruleset.ts";
import { compile, type SourceFile } from "./compile.ts";

/** Text of a rule file from any source. */
export interface RuleText {
  /** YAML of a rule file, with `version: 1` and `rules:`. */
  readonly text: string;
  /** Path of the file, shown in problems. `call` steps start from its folder. Default: `rules-1.yaml` and so on. */
  readonly path?: string;
}

/** Compiled rules, ready for `decide`. */
export interface CompiledRules {
  readonly ruleset: Ruleset;
  /** Warnings about parts that are valid but probably not intended. */
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

/** Converts texts to source files. A text without a path gets its default path. */
export function sourceFiles(texts: readonly RuleText[]): readonly SourceFile[] {
  return texts.map(({ text, path }, index) => ({ text, path: path ?? `rules-${index + 1}.yaml` }));
}
