import type { Mistake, Problem } from "../config/problem.ts";
import { ownMember } from "../system/own-member.ts";

/** Use of a secret in a rule: `${{ secrets.NAME }}`. */
export interface SecretUse {
  readonly name: string;
  /** Whether the rule tests with `has(…)` whether the secret is set, and works without it. */
  readonly optional: boolean;
  /** Whether a call or an operation uses the value, so that the result may contain just a part of the secret. */
  readonly isTakenApart: boolean;
  /** Problem to report if the secret is not set. The problem points to the first use of the secret. */
  readonly problem: Problem;
}

/** Secrets by name, and problems of secrets that can't be read. */
export interface SecretValues {
  readonly values: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
}

/** Environment variables of the toolkit itself: its settings and credentials, and the password of its database. */
const RESERVED_NAME = /^(?:ANSWERBACK_|PGPASSWORD$|PGPASSFILE$)/i;

/** Returns whether a name of an environment variable is reserved, so that rules may not read it. */
export function isReservedName(name: string): boolean {
  return RESERVED_NAME.test(name);
}

/** Returns placeholders for a rule's secrets, by name (`<secret TOKEN>`), which trials and backtests use. */
export function standIns({
  secrets,
}: {
  readonly secrets: readonly SecretUse[];
}): Readonly<Record<string, string>> {
  return Object.fromEntries(secrets.map(({ name }) => [name, `<secret ${name}>`]));
}

/**
 * Minimum length of a credential that is also searched for inside other values. A shorter text can occur there by
 * chance.
 */
const MIN_PART_LENGTH = 8;

/** Restrictions on the environment variables that rules may read. */
export interface SecretLimits {
  /** Credentials of the toolkit: values that rules may not read under any name. */
  readonly credentials?: readonly string[];
  /** Names of secrets that rules may read. Absent: all names that are not reserved. */
  readonly listed?: readonly string[];
  /** Names of environment variables that the settings file reads: rules may not read them. */
  readonly settingNames?: readonly string[];
}

/**
 * Reads the secrets that rules use from `environment`, and no other variables.
 *
 * @param environment `process.env`; an empty variable counts as not set.
 */
export function readSecrets(
  secrets: readonly SecretUse[],
  environment: Readonly<Record<string, string | undefined>>,
  { credentials = [], listed, settingNames = [] }: SecretLimits = {},
): SecretValues {
  const isCredential = (value: string): boolean =>
    credentials.some(
      (one) => one === value || (one.length >= MIN_PART_LENGTH && value.includes(one)),
    );
  const values = new Map<string, string>();
  const problems: Problem[] = [];
  for (const { name, optional, problem } of secrets) {
    const value = ownMember(environment, name) ?? "";
    const isReserved = isReservedName(name) || settingNames.includes(name) || isCredential(value);
    const mistake = isReserved
      ? reservedMistake(name)
      : listed?.includes(name) === false
        ? notListed(name, listed)
        : undefined;
    if (mistake) problems.push({ ...problem, severity: "error", ...mistake });
    else if (value !== "") values.set(name, value);
    else if (!optional) problems.push(problem);
  }
  return { values: Object.fromEntries(values), problems };
}

/** Returns the error about a rule that reads a reserved variable. */
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

/**
 * Returns one use per secret: its first required use, otherwise its first use. `isTakenApart` is true if it is true for
 * any use of the secret.
 */
export function firstUses(uses: readonly SecretUse[]): readonly SecretUse[] {
  const first = new Map<string, SecretUse>();
  for (const use of uses) {
    const firstUse = first.get(use.name);
    const chosen = !firstUse || (firstUse.optional && !use.optional) ? use : firstUse;
    const isTakenApart = use.isTakenApart || firstUse?.isTakenApart === true;
    first.set(use.name, { ...chosen, isTakenApart });
  }
  return [...first.values()];
}
