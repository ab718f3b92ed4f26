import { metaOf, type ListPage } from "../kernel/world/paging.ts";
import type { UserRow } from "../model/accounts.ts";
import { Includes } from "./includes.ts";
import type { RenderContext } from "./render-context.ts";
import type { Selection, WireObject } from "./selection.ts";
import { renderUser } from "./users.ts";

/** Renders users as JSON objects, and adds referenced objects to `includes`. */
export function renderUsers(
  context: RenderContext,
  users: readonly UserRow[],
  { fields, expansions }: Selection,
  includes: Includes,
): WireObject[] {
  // An expansion also selects the field with the ids: `affiliation` for the expansion `affiliation.user_id`, and
  // `pinned_post_id` for the expansion of that name.
  const expanded = [...expansions].map((name) => name.replace(/\..*$/, ""));
  const selected = new Set([...fields.user, ...expanded]);
  return users.map((user) => {
    const wire = renderUser(context, user, selected);
    for (const name of ["pinned_post_id", "most_recent_post_id"]) {
      const id = wire[name];
      if (expansions.has(name) && typeof id === "string") includes.post(id, name);
    }
    if (expanded.includes("affiliation")) {
      for (const id of affiliatedIds(user)) includes.user(id, "affiliation.user_id");
    }
    return wire;
  });
}

function affiliatedIds({ profile }: UserRow): string[] {
  const ids: unknown = Object(profile["affiliation"])["user_id"];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/** Renders the response with one page of users. */
export function userPageDocument(
  context: RenderContext,
  page: ListPage<UserRow>,
  selection: Selection,
): WireObject {
  const includes = new Includes(context, selection);
  const data = renderUsers(context, page.items, selection, includes);
  return { ...(data.length === 0 ? {} : { data }), ...includes.body(), meta: metaOf(page) };
}

/** Renders the response with one user. */
export function userDocument(
  context: RenderContext,
  user: UserRow,
  selection: Selection,
): WireObject {
  const includes = new Includes(context, selection);
  const [data] = renderUsers(context, [user], selection, includes);
  return { data, ...includes.body() };
}
