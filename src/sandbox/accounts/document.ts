import { USER_EXPANSIONS } from "../../interface/fields.ts";
import { Includes } from "../fields/includes.ts";
import { metaOf, type Page } from "../fields/paging.ts";
import type { Query } from "../fields/query.ts";
import type { Reader } from "../fields/reader.ts";
import { readSelection, type Selection } from "../fields/selection.ts";
import type { User } from "./entities.ts";
import { renderUser } from "./render.ts";

type Wire = Record<string, unknown>;

/** Reads what an endpoint that answers with users lets be selected. */
export function readUserSelection(query: Query): Selection {
  return readSelection(query, ["user", "post"], USER_EXPANSIONS);
}

/** Users as wire objects; what they refer to is added to `includes`. */
export function showUsers(
  reader: Reader,
  shown: readonly User[],
  { fields, expansions }: Selection,
  includes: Includes,
): Wire[] {
  // The affiliation joins by the ids inside it, the posts by their own field.
  const brought = [...expansions].map((name) => name.replace(/\..*$/, ""));
  const selected = new Set([...fields.user, ...brought]);
  return shown.map((user) => {
    const wire = renderUser(reader, user, selected);
    for (const name of ["pinned_post_id", "most_recent_post_id"]) {
      const id = wire[name];
      if (expansions.has(name) && typeof id === "string") includes.post(id, name);
    }
    if (brought.includes("affiliation")) {
      for (const id of affiliatedWith(user)) includes.user(id, "affiliation.user_id");
    }
    return wire;
  });
}

function affiliatedWith({ profile }: User): string[] {
  const ids: unknown = Object(profile["affiliation"])["user_id"];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/** The answer with one page of users. */
export function userPageDocument(reader: Reader, page: Page<User>, selection: Selection): Wire {
  const includes = new Includes(reader, selection);
  const data = showUsers(reader, page.items, selection, includes);
  return { ...(data.length === 0 ? {} : { data }), ...includes.body(), meta: metaOf(page) };
}

/** The answer with one user. */
export function userDocument(reader: Reader, user: User, selection: Selection): Wire {
  const includes = new Includes(reader, selection);
  const [data] = showUsers(reader, [user], selection, includes);
  return { data, ...includes.body() };
}
