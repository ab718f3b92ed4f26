import { LOOKED_UP, lookedUpObject, resultFields } from "../../events/looked-up.ts";
import type { Person } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import { attributedConversion } from "../../actions/attributed-conversion.ts";
import {
  type AttributionLookup,
  type Lookup,
  type LookupFailure,
  lookupInWords,
  type LookupOutcome,
  type ObjectLookup,
} from "../../actions/lookup.ts";
import type { Evaluation } from "../../rules/evaluate.ts";
import type { LookupMock } from "./rule-test.ts";

/**
 * Returns the fields of a look-up that expectations and mocks can match: the name of the user or post, or the
 * parameters of an ad conversion.
 */
export function lookupFields(lookup: Lookup): Readonly<Record<string, unknown>> {
  if (lookup.of === "attribution") return lookup.conversion;
  const { of, by, name, fields } = lookup;
  return { [by === "username" ? by : of]: name, fields: fields.join(", ") };
}

/** Returns the response of the first mock that matches an ad conversion's attribution, or undefined. */
export function mockedAttribution(
  lookup: AttributionLookup,
  mocks: readonly LookupMock[],
  evaluation: Evaluation,
): LookupOutcome | undefined {
  const fields = lookupFields(lookup);
  const mock = mocks.find(
    (one) =>
      one.of === "attribution" &&
      one.match.every(({ name, holds }) => holds(fields[name], evaluation)),
  );
  if (mock === undefined) return undefined;
  if (typeof mock.answer === "string") return failed(mock.answer, lookup);
  const usual = { ...attributedConversion.of(lookup.conversion), ...attributedConversion.usual };
  return { ok: true, result: { ...usual, ...mock.answer } };
}

/**
 * Returns the response to the look-up of a user or post: the first mock for this user or post, completed by the person
 * in the test file. Undefined without a mock, unless the person has every requested field that the platform always
 * returns.
 */
export function mockedLookup(
  lookup: ObjectLookup,
  mocks: readonly LookupMock[],
  people: Iterable<Person>,
): LookupOutcome | undefined {
  const person = [...people].find((one) => isNamed(lookup, one));
  const names = [lookup.name, person?.id, person?.username].map((name) => name?.toLowerCase());
  const mock = mocks.find(
    (one) =>
      one.of !== "attribution" && one.of === lookup.of && names.includes(one.name.toLowerCase()),
  );
  if (typeof mock?.answer === "string") return failed(mock.answer, lookup);
  const values: Readonly<Record<string, Json>> = {
    [lookup.by]: lookup.name,
    ...(person && fieldsOf(person)),
    ...mock?.answer,
  };
  const result = Object.fromEntries(
    resultFields(lookup.of, lookup.fields).flatMap((name) => {
      const value: Json | undefined = Object.hasOwn(values, name) ? values[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const fields = LOOKED_UP[lookup.of];
  const isMissing = lookup.fields.some(
    (name) => result[name] === undefined && fields.get(name)?.mayBeAbsent !== true,
  );
  if (mock === undefined && (person === undefined || isMissing)) return undefined;
  return { ok: true, result };
}

/** Returns the error message for a look-up that no mock matches. It includes a mock to paste into the test. */
export function unmockedLookup(lookup: Lookup): string {
  const what = lookupInWords(lookup);
  return `nothing answers the look-up of ${what}: write in the test  lookups: [${mockOf(lookup)}]`;
}

/** Returns a mock for a look-up, to paste into the test. */
function mockOf(lookup: Lookup): string {
  if (lookup.of === "attribution") {
    const { conversion_type: type } = lookup.conversion;
    return `{attribution: {conversion_type: ${type}}, found: {platform_attribution: null}}`;
  }
  const { of, by, name, fields } = lookup;
  const named = `${by === "username" ? "username" : of}: ${JSON.stringify(name)}`;
  const listed = fields.length === 0 ? "" : fields.map((field) => `${field}: …`).join(", ");
  return `{${named}, found: {${listed}}}`;
}

function isNamed({ of, by, name }: ObjectLookup, { id, username }: Person): boolean {
  if (of !== "user") return false;
  return by === "id" ? id === name : username?.toLowerCase() === name.toLowerCase();
}

/** Returns the fields of a person of the test file, as the platform would return them. */
function fieldsOf(person: Person): Readonly<Record<string, Json>> {
  const { createdAt, followersCount, followingCount, postCount } = person;
  const { id, username, name, description = "", location, url, verified } = person;
  const values = [...LOOKED_UP.user.keys()];
  return lookedUpObject("user", values, {
    id,
    username,
    name,
    description,
    location,
    url,
    verified,
    protected: person.protected,
    created_at: createdAt === undefined ? undefined : new Date(createdAt).toISOString(),
    public_metrics: {
      followers_count: followersCount,
      following_count: followingCount,
      post_count: postCount,
    },
  });
}

function failed(code: LookupFailure, lookup: Lookup): LookupOutcome {
  const what = lookupInWords(lookup);
  switch (code) {
    case "not-found":
      return { ok: false, code, error: `${what} does not exist`, status: 404 };
    case "not-visible":
      return { ok: false, code, error: `the account may not see ${what}`, status: 403 };
    case "lookup-failed":
      return { ok: false, code, error: "the platform can't be reached" };
  }
}
