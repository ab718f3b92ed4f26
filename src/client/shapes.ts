import { carries, objectOf, objectsOf, type Shape } from "./answer.ts";
import type { Answer } from "./caller.ts";
import { isFields } from "./problem.ts";
import type { AnySelection } from "./selecting.ts";
import {
  type DmEventOf,
  type Expansion,
  type IncludeKind,
  type IncludesOf,
  type PostOf,
  type UserOf,
  YIELDS,
} from "./selection.ts";

/**
 * Fields that objects always carry, and fields that they carry whenever they are asked for: those that
 * the object types do not call optional. What the types promise is looked for in every answer.
 */
const PROMISED = {
  posts: {
    always: ["id", "text"],
    asked: ["author_id", "conversation_id", "created_at", "public_metrics"],
  },
  users: {
    always: ["id", "name", "username"],
    asked: ["created_at", "description", "protected", "public_metrics", "verified"],
  },
  media: { always: ["media_key", "type"], asked: [] },
  polls: {
    always: ["id", "options"],
    asked: ["duration_minutes", "end_datetime", "voting_status"],
  },
  places: { always: ["id", "full_name"], asked: [] },
  dmEvents: { always: ["id", "event_type"], asked: ["created_at", "dm_conversation_id"] },
} as const satisfies Record<
  IncludeKind | "dmEvents",
  { readonly always: readonly string[]; readonly asked: readonly string[] }
>;

function promised(
  kind: keyof typeof PROMISED,
  fields: readonly string[] | undefined,
): readonly string[] {
  const { always, asked } = PROMISED[kind];
  return [...always, ...asked.filter((name) => fields?.includes(name) === true)];
}

/** The shape of posts with these fields. */
export function postsWith<S extends AnySelection>(selection: S | undefined): Shape<PostOf<S>> {
  const keys = promised("posts", selection?.postFields);
  return { keys, is: (value): value is PostOf<S> => carries(value, keys) };
}

/** The shape of users with these fields. */
export function usersWith<S extends AnySelection>(selection: S | undefined): Shape<UserOf<S>> {
  const keys = promised("users", selection?.userFields);
  return { keys, is: (value): value is UserOf<S> => carries(value, keys) };
}

/** The shape of message events with these fields. */
export function dmEventsWith<S extends AnySelection>(
  selection: S | undefined,
): Shape<DmEventOf<S>> {
  const keys = promised("dmEvents", selection?.dmEventFields);
  return { keys, is: (value): value is DmEventOf<S> => carries(value, keys) };
}

const FIELDS_OF = {
  posts: "postFields",
  users: "userFields",
  media: "mediaFields",
  polls: "pollFields",
  places: "placeFields",
} as const satisfies Record<IncludeKind, keyof AnySelection>;

/** The related objects of an answer: a list for each kind that was asked for. @throws ProtocolError */
export function includesOf<S extends AnySelection>(
  answer: Answer,
  selection: S | undefined,
): IncludesOf<S> {
  const found = answer.body["includes"];
  const lists = isFields(found) ? found : {};
  const expansions: readonly Expansion[] = selection?.expansions ?? [];
  const kinds = [...new Set(expansions.flatMap((name): readonly IncludeKind[] => YIELDS[name]))];
  const included: unknown = Object.fromEntries(
    kinds.map((kind) => {
      const keys = promised(kind, selection?.[FIELDS_OF[kind]]);
      const shape = { keys, is: (value: unknown): value is object => carries(value, keys) };
      return [kind, objectsOf(answer, lists[kind], shape, `includes.${kind}`)];
    }),
  );
  const whole: Shape<IncludesOf<S>> = {
    keys: kinds,
    is: (value): value is IncludesOf<S> => carries(value, kinds),
  };
  return objectOf(answer, included, whole, "includes");
}
