import type { Dialect } from "../../protocol/dialects.ts";
import type { Params } from "../http/endpoint.ts";
import type { Expansion } from "./selection.ts";
import { toDialect } from "../http/dialect.ts";

/** Names of the API's query parameters, by the client's names. */
const FIELD_PARAMETERS = {
  postFields: "post.fields",
  userFields: "user.fields",
  mediaFields: "media.fields",
  pollFields: "poll.fields",
  placeFields: "place.fields",
  dmEventFields: "dm_event.fields",
  listFields: "list.fields",
  spaceFields: "space.fields",
  topicFields: "topic.fields",
} as const;

/** Selected fields and expansions of any kind of object, without the checks of the compiler. */
export interface AnySelection extends Partial<
  Readonly<Record<keyof typeof FIELD_PARAMETERS, readonly string[]>>
> {
  readonly expansions?: readonly Expansion[];
}

/** Converts a selection to query parameters in the spelling of a dialect. Empty lists are omitted. */
export function selectionParams(selection: AnySelection, dialect: Dialect): Params {
  const words = Object.entries(FIELD_PARAMETERS).map(([key, parameter]) => {
    const names = fieldsUnder(selection, key).map((name) => toDialect(name, dialect));
    return [toDialect(parameter, dialect), names.length === 0 ? undefined : names] as const;
  });
  const expansions = (selection.expansions ?? []).map((name) => spellExpansion(name, dialect));
  const names = expansions.length === 0 ? undefined : [...new Set(expansions)];
  return { ...Object.fromEntries(words), expansions: names };
}

function fieldsUnder(selection: AnySelection, key: string): readonly string[] {
  const entry = Object.entries(selection).find(([name]) => name === key);
  return entry === undefined || !Array.isArray(entry[1]) ? [] : entry[1].map(String);
}

/**
 * Expansions that each dialect spells in its own way: `referenced_posts`, but `referenced_tweets.id`. Callers may use
 * either spelling. The request uses the dialect's own, because the live service refuses the other spelling.
 */
const OWN_EXPANSIONS: Readonly<Record<Dialect, Partial<Record<Expansion, string>>>> = {
  post: { "referenced_posts.id": "referenced_posts", "affiliation.user_id": "affiliation" },
  tweet: { referenced_posts: "referenced_tweets.id", affiliation: "affiliation.user_id" },
};

function spellExpansion(name: Expansion, dialect: Dialect): string {
  return OWN_EXPANSIONS[dialect][name] ?? toDialect(name, dialect);
}
