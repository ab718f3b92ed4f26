import type { Person } from "./event.ts";
import { dateAt, flagAt, idAt, numberAt, objectAt, textAt, type Wire } from "./wire.ts";

/** Reads a person from any user object of an event body; undefined if the object has no id. */
export function personOf(wire: Wire | undefined): Person | undefined {
  const id = idAt(wire);
  if (id === undefined) return undefined;
  return withoutGaps({
    id,
    username: textAt(wire, "screen_name"),
    name: textAt(wire, "name"),
    description: textAt(wire, "description"),
    location: textAt(wire, "location"),
    url: textAt(wire, "url"),
    followersCount: numberAt(wire, "followers_count"),
    followingCount: numberAt(wire, "friends_count"),
    postCount: numberAt(wire, "statuses_count"),
    listedCount: numberAt(wire, "listed_count"),
    likeCount: numberAt(wire, "favourites_count"),
    profileImageUrl: textAt(wire, "profile_image_url_https") ?? textAt(wire, "profile_image_url"),
    verified: flagAt(wire, "verified"),
    protected: flagAt(wire, "protected"),
    createdAt: numberAt(wire, "created_timestamp") ?? dateAt(wire, "created_at"),
  });
}

/** Returns the person with `id` from the body's `users` map; a person with only the id if the map has no entry. */
export function personIn(body: Wire, id: string): Person {
  return personOf(objectAt(objectAt(body, "users"), id)) ?? { id };
}

type WithoutGaps<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Removes fields whose value is undefined. */
export function withoutGaps<T extends object>(record: T): WithoutGaps<T>;
// Hot path, three calls per delivery: this loop takes a seventh of the time of `Object.entries` and `fromEntries`.
export function withoutGaps(record: Readonly<Record<string, unknown>>): object {
  const definedFields: Record<string, unknown> = {};
  for (const key in record) {
    if (record[key] !== undefined) definedFields[key] = record[key];
  }
  return definedFields;
}
