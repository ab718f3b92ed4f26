import type { Dialect } from "../../protocol/dialects.ts";
import type { Params } from "../http/request.ts";
import type { Expansion } from "./selection.ts";
import { toDialect } from "../http/dialect.ts";

/** The interface's parameter name by the client's name. */
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

/** Selection of any object, typed for run time. */
export interface AnySelection extends Partial<
  Readonly<Record<keyof typeof FIELD_PARAMETERS, readonly string[]>>
> {
  readonly expansions?: readonly Expansion[];
}

/** Query parameters of a selection, in the dialect's words. Empty lists are omitted. */
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
 * Expansions that one dialect spells with the path to the id, the other without. Callers may use either spelling; the
 * wire gets the dialect's own, because the live service refuses the other.
 */
const OWN_EXPANSIONS: Readonly<Record<Dialect, Partial<Record<Expansion, string>>>> = {
  post: { "referenced_posts.id": "referenced_posts", "affiliation.user_id": "affiliation" },
  tweet: { referenced_posts: "referenced_tweets.id", affiliation: "affiliation.user_id" },
};

function spellExpansion(name: Expansion, dialect: Dialect): string {
  return OWN_EXPANSIONS[dialect][name] ?? toDialect(name, dialect);
}
