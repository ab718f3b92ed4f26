import type { Mistake, Problem } from "../config/problem.ts";

/** A secret that a rule reads: `${{ secrets.NAME }}`. */
export interface SecretUse {
  readonly name: string;
  /** The rule asks with `has(…)` whether it is set, and does without. */
  readonly optional: boolean;
  /** An expression of the rule may send a part of the value. */
  readonly isTakenApart: boolean;
  /** What to report when it is not set, at the place of its first use. */
  readonly problem: Problem;
}

/** Secrets by name, and what is missing. */
export interface SecretValues {
  readonly values: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
}

/** Variables of the toolkit itself: its settings and credentials, and the password of its database. */
const RESERVED_NAME = /^(?:ANSWERBACK_|PGPASSWORD$|PGPASSFILE$)/i;

/** Whether rules may not read a variable of the environment, by its name. */
export function isReservedName(name: string): boolean {
  return RESERVED_NAME.test(name);
}

/** Stand-ins for the secrets of a rule, by name: where a rule is rehearsed, no value is read. */
export function standIns({
  secrets,
}: {
  readonly secrets: readonly SecretUse[];
}): Readonly<Record<string, string>> {
  return Object.fromEntries(secrets.map(({ name }) => [name, `<secret ${name}>`]));
}

/** A shorter credential is found in values that have nothing to do with it. */
const MIN_PART_LENGTH = 8;

/** Limits on what rules may read. */
export interface SecretLimits {
  /** Values that rules may not read under any name: credentials of the toolkit. */
  readonly credentials?: readonly string[];
  /** Names that rules may read; absent: all that are not refused otherwise. */
  readonly listed?: readonly string[];
  /** Names of variables that the settings take: no rule reads them. */
  readonly taken?: readonly string[];
}

/**
 * Reads the secrets that rules use from `environment`, and nothing else of it.
 *
 * @param environment `process.env`; a variable that is empty counts as not set.
 */
export function readSecrets(
  secrets: readonly SecretUse[],
  environment: Readonly<Record<string, string | undefined>>,
  { credentials = [], listed, taken = [] }: SecretLimits = {},
): SecretValues {
  const isCredential = (value: string): boolean =>
    credentials.some(
      (one) => one === value || (one.length >= MIN_PART_LENGTH && value.includes(one)),
    );
  const values: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const { name, optional, problem } of secrets) {
    const value = environment[name] ?? "";
    const isReserved = isReservedName(name) || taken.includes(name) || isCredential(value);
    const mistake = isReserved
      ? reservedMistake(name)
      : listed?.includes(name) === false
        ? notListed(name, listed)
        : undefined;
    if (mistake) problems.push({ ...problem, severity: "error", ...mistake });
    else if (value !== "") values[name] = value;
    else if (!optional) problems.push(problem);
  }
  return { values, problems };
}

/** A variable that rules may not read. */
export function reservedMistake(name: string): Mistake {
  return {
    code: "secret-reserved",
    message: `${name} holds a credential of Answerback itself, which no rule reads`,
    help: "give the service a secret of its own, under another name",
  };
}

function notListed(name: string, listed: readonly string[]): Mistake {
  return {
    code: "secret-not-listed",
    message: `the settings do not list ${name} among the secrets that rules may read`,
    help: `write  secrets: [${[...listed, name].join(", ")}]`,
  };
}

/** One use of each name: the first that can't do without it, else the first; taken apart if any is. */
export function firstUses(uses: readonly SecretUse[]): readonly SecretUse[] {
  const first = new Map<string, SecretUse>();
  for (const use of uses) {
    const known = first.get(use.name);
    const chosen = !known || (known.optional && !use.optional) ? use : known;
    const isTakenApart = use.isTakenApart || known?.isTakenApart === true;
    first.set(use.name, { ...chosen, isTakenApart });
  }
  return [...first.values()];
}
