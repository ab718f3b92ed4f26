import type { Problem } from "../config/problem.ts";

/** A secret that a rule reads: `${{ secrets.NAME }}`. */
export interface SecretUse {
  readonly name: string;
  /** The rule asks with `has(…)` whether it is set, and does without. */
  readonly optional: boolean;
  /** What to report when it is not set, at the place of its first use. */
  readonly problem: Problem;
}

/** Secrets by name, and what is missing. */
export interface SecretValues {
  readonly values: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
}

/**
 * Reads the secrets that rules use from `environment`, and nothing else of it.
 *
 * @param environment `process.env`; a variable that is empty counts as not set.
 */
export function readSecrets(
  secrets: readonly SecretUse[],
  environment: Readonly<Record<string, string | undefined>>,
): SecretValues {
  const values: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const { name, optional, problem } of secrets) {
    const value = environment[name] ?? "";
    if (value !== "") values[name] = value;
    else if (!optional) problems.push(problem);
  }
  return { values, problems };
}

/** One use of each name: the first that can't do without it, else the first. */
export function firstUses(uses: readonly SecretUse[]): readonly SecretUse[] {
  const first = new Map<string, SecretUse>();
  for (const use of uses) {
    const known = first.get(use.name);
    if (!known || (known.optional && !use.optional)) first.set(use.name, use);
  }
  return [...first.values()];
}
