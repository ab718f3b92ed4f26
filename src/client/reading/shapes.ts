import { hasKeys, objectOf, protocolError, type Shape } from "./response.ts";
import type { ApiResponse } from "../http/api-caller.ts";
import { isFields } from "../http/problem.ts";
import type { AnySelection } from "./selection-params.ts";
import {
  type DmEventOf,
  type Expansion,
  type IncludeKind,
  type IncludesOf,
  type MediumOf,
  type PeopleListOf,
  type PostOf,
  type SpaceOf,
  type UserOf,
  EXPANSION_INCLUDES,
} from "./selection.ts";

/**
 * Fields that objects of a kind always have, and fields that they have whenever requested: the non-optional fields of
 * the object types. Every response is checked for these fields, so that the TypeScript types are right.
 */
const GUARANTEED_FIELDS = {
  posts: {
    always: ["id", "text"],
    requested: ["author_id", "conversation_id", "created_at", "public_metrics"],
  },
  users: {
    always: ["id", "name", "username"],
    requested: ["created_at", "description", "protected", "public_metrics", "verified"],
  },
  media: { always: ["media_key", "type"], requested: [] },
  polls: {
    always: ["id", "options"],
    requested: ["duration_minutes", "end_datetime", "voting_status"],
  },
  places: { always: ["id", "full_name"], requested: [] },
  topics: { always: ["id", "name"], requested: [] },
  lists: {
    always: ["id", "name"],
    requested: ["follower_count", "member_count", "private"],
  },
  spaces: { always: ["id", "state"], requested: [] },
  dmEvents: { always: ["id", "event_type"], requested: ["created_at", "dm_conversation_id"] },
} as const satisfies Record<
  IncludeKind | "dmEvents" | "lists" | "spaces",
  { readonly always: readonly string[]; readonly requested: readonly string[] }
>;

function guaranteedFields(
  kind: keyof typeof GUARANTEED_FIELDS,
  fields: readonly string[] | undefined,
): readonly string[] {
  const { always, requested } = GUARANTEED_FIELDS[kind];
  return [...always, ...requested.filter((name) => fields?.includes(name) === true)];
}

/** Returns the check that posts have their selected fields. */
export function postsWith<S extends AnySelection>(selection: S | undefined): Shape<PostOf<S>> {
  const keys = guaranteedFields("posts", selection?.postFields);
  return { keys, is: (value): value is PostOf<S> => hasKeys(value, keys) };
}

/** Returns the check that users have their selected fields. */
export function usersWith<S extends AnySelection>(selection: S | undefined): Shape<UserOf<S>> {
  const keys = guaranteedFields("users", selection?.userFields);
  return { keys, is: (value): value is UserOf<S> => hasKeys(value, keys) };
}

/** Returns the check that message events have their selected fields. */
export function dmEventsWith<S extends AnySelection>(
  selection: S | undefined,
): Shape<DmEventOf<S>> {
  const keys = guaranteedFields("dmEvents", selection?.dmEventFields);
  return { keys, is: (value): value is DmEventOf<S> => hasKeys(value, keys) };
}

/** Returns the check that lists of people have their selected fields. */
export function peopleListsWith<S extends AnySelection>(
  selection: S | undefined,
): Shape<PeopleListOf<S>> {
  const keys = guaranteedFields("lists", selection?.listFields);
  return { keys, is: (value): value is PeopleListOf<S> => hasKeys(value, keys) };
}

/** Returns the check that spaces have their selected fields. */
export function spacesWith<S extends AnySelection>(selection: S | undefined): Shape<SpaceOf<S>> {
  const keys = guaranteedFields("spaces", selection?.spaceFields);
  return { keys, is: (value): value is SpaceOf<S> => hasKeys(value, keys) };
}

/** Returns the check that media objects have their selected fields. */
export function mediaWith<S extends AnySelection>(selection: S | undefined): Shape<MediumOf<S>> {
  const keys = guaranteedFields("media", selection?.mediaFields);
  return { keys, is: (value): value is MediumOf<S> => hasKeys(value, keys) };
}

const FIELDS_OF = {
  posts: "postFields",
  users: "userFields",
  media: "mediaFields",
  polls: "pollFields",
  places: "placeFields",
  topics: "topicFields",
} as const satisfies Record<IncludeKind, keyof AnySelection>;

/**
 * Reads the included objects of a response: a list for each requested kind. Leaves out objects that lack a guaranteed
 * field, like the objects that the platform does not show: the items of the page are complete without them.
 *
 * @throws ProtocolError if a kind is no list.
 */
export function includesOf<S extends AnySelection>(
  answer: ApiResponse,
  selection: S | undefined,
): IncludesOf<S> {
  const rawIncludes = answer.body["includes"];
  const lists = isFields(rawIncludes) ? rawIncludes : {};
  const expansions: readonly Expansion[] = selection?.expansions ?? [];
  const kinds = [
    ...new Set(expansions.flatMap((name): readonly IncludeKind[] => EXPANSION_INCLUDES[name])),
  ];
  const included: unknown = Object.fromEntries(
    kinds.map((kind) => {
      const keys = guaranteedFields(kind, selection?.[FIELDS_OF[kind]]);
      const all = lists[kind] ?? [];
      if (!Array.isArray(all)) throw protocolError(answer, `includes.${kind} is not a list`);
      return [kind, all.filter((one: unknown) => hasKeys(one, keys))];
    }),
  );
  const whole: Shape<IncludesOf<S>> = {
    keys: kinds,
    is: (value): value is IncludesOf<S> => hasKeys(value, kinds),
  };
  return objectOf(answer, included, whole, "includes");
}
