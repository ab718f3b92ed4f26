import {
  LOOKED_UP,
  type LookedUpKind,
  lookedUpObject,
  resultFields,
} from "../../events/looked-up.ts";
import type { Person } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import {
  type Lookup,
  type LookupFailure,
  lookupInWords,
  type LookupOutcome,
} from "../../events/lookup.ts";

/** Reasons for which a look-up can fail in a test. */
export const LOOKUP_FAILURES = ["not-found", "not-visible", "lookup-failed"] as const;

/** Mocked answer of the platform to a look-up. */
export interface LookupMock {
  readonly of: LookedUpKind;
  /** Id, or handle without `@`. */
  readonly name: string;
  readonly answer: Readonly<Record<string, Json>> | LookupFailure;
}

/**
 * Returns the answer to a look-up: that of the first mock for the object, else the fields of a person of the test file.
 * Undefined if neither has all requested fields that are always present.
 */
export function mockedLookup(
  lookup: Lookup,
  mocks: readonly LookupMock[],
  people: Iterable<Person>,
): LookupOutcome | undefined {
  const person = [...people].find((one) => isNamed(lookup, one));
  const names = [lookup.name, ...(person && lookup.of === "user" ? [person.id] : [])];
  const mock = mocks.find((one) => one.of === lookup.of && names.includes(one.name));
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

/** Returns the error message for a look-up without an answer, with the answer to write. */
export function unmockedLookup({ of, by, name, fields }: Lookup): string {
  const named = `${by === "username" ? "username" : of}: ${JSON.stringify(name)}`;
  const listed = fields.length === 0 ? "" : fields.map((field) => `${field}: …`).join(", ");
  return (
    `nothing answers the look-up of ${lookupInWords({ of, by, name, fields })}: write in the test  ` +
    `lookups: [{${named}, found: {${listed}}}]`
  );
}

function isNamed({ of, by, name }: Lookup, { id, username }: Person): boolean {
  if (of !== "user") return false;
  return by === "id" ? id === name : username?.toLowerCase() === name.toLowerCase();
}

/** Returns the fields of a person of the test file, as the platform would answer. */
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
