import { actionKind, isActionType } from "../../actions/actions.ts";
import { attributionParameters } from "../../actions/attributed-conversion.ts";
import { knownKeys } from "../../config/known-keys.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import type { Mistake } from "../../config/problem.ts";
import type { Person } from "../../events/event.ts";
import type { Evaluation } from "../../rules/evaluate.ts";
import { compileMatcher, wantedOf } from "../../rules/compile.ts";
import type { ExpectedField } from "./rule-test.ts";
import type { WrittenMatcher } from "./test-file.ts";
import { ownMember } from "../../system/own-member.ts";

const ATTRIBUTION = Object.keys(attributionParameters.shape);

/** Fields that a test can check in output that is no action, such as an `http` request. */
const OTHER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  http: ["method", "url", "body"],
  lookup: ["user", "username", "post", "fields", ...ATTRIBUTION],
  attribution: ATTRIBUTION,
  escalate: ["queue", "priority", "note"],
  typing: ["to", "for"],
};

/** Returns the names of the fields that a test can expect in the output of a verb. */
export function fieldsOf(word: string): readonly string[] {
  const others = ownMember(OTHER_FIELDS, word);
  if (others !== undefined) return others;
  if (!isActionType(word)) return [];
  return knownKeys(actionKind(word).schema, []).filter((name) => name !== "type");
}

/** Compiles a test's expectation for the field `name`. @returns The compiled expectation, or the mistake in it. */
export function expectedField(
  name: string,
  written: WrittenMatcher,
  people: ReadonlyMap<string, Person>,
): ExpectedField | Mistake {
  if (typeof written !== "object") {
    const person = name === "to" ? people.get(String(written)) : undefined;
    if (name === "to" && person === undefined) return unknownPerson(String(written), people);
    const [, pattern] = /^\/(.+)\/[a-z]*$/.exec(String(written)) ?? [];
    // the path of a request may end with a slash, too
    if (pattern !== undefined && name !== "url") return asPattern(name, String(written), pattern);
    const value = person?.id ?? String(written);
    return {
      name,
      wanted: typeof written === "string" && name !== "to" ? JSON.stringify(written) : `${written}`,
      holds: (actual) => String(actual) === value,
    };
  }
  const { tests, faults } = compileMatcher("text", written);
  const [fault] = faults;
  if (fault !== undefined) return "mistake" in fault ? fault.mistake : NOT_HERE;
  if (tests.length === 0) {
    return {
      code: "empty-matcher",
      message: "no operator is here",
      help: `write  ${name}: {contains: …}, or leave ${name} out`,
    };
  }
  const fits = (text: unknown, evaluation: Evaluation): boolean =>
    tests.every(({ test }) => test(typeof text === "string" ? text : undefined, evaluation));
  return {
    name,
    wanted: tests.map(wantedOf).join(", "),
    holds: (actual, evaluation) => {
      const key = name === "to" ? keyOf(people, actual) : undefined;
      return fits(actual, evaluation) || (key !== undefined && fits(key, evaluation));
    },
  };
}

function asPattern(name: string, written: string, pattern: string): Mistake {
  return {
    code: "invalid-value",
    message: `${written} is compared as it is written, with its slashes`,
    help: `write  ${name}: { matches: ${JSON.stringify(pattern)} },  or  { equals: ${JSON.stringify(written)} }`,
  };
}

const NOT_HERE: Mistake = { code: "invalid-value", message: "this can't be asked here" };

/** Returns the key under `users` of the person with an id; undefined if there is none. */
function keyOf(people: ReadonlyMap<string, Person>, id: unknown): string | undefined {
  return [...people].find(([, person]) => person.id === id)?.[0];
}

/** Returns the mistake for a name that is not among the users of the test file. */
export function unknownPerson(name: string, people: ReadonlyMap<string, Person>): Mistake {
  const guess = keyOf(people, name) ?? didYouMean(name, people.keys());
  return {
    code: "unknown-user",
    message: `"${name}" is not a user of this file`,
    help:
      guess === undefined
        ? `users here: ${[...people.keys()].join(", ")}`
        : `did you mean "${guess}"?`,
  };
}
