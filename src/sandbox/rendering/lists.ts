import { type ListPage, metaOf } from "../kernel/world/paging.ts";
import { type ListRow, listTies } from "../model/lists.ts";
import { Includes } from "./includes.ts";
import type { RenderContext } from "./render-context.ts";
import { pick, type Selection, type WireObject } from "./selection.ts";

/** Renders the response with one list. */
export function listDocument(
  context: RenderContext,
  list: ListRow,
  selection: Selection,
): WireObject {
  const includes = new Includes(context, selection);
  const data = renderList(context, list, selection, includes);
  return { data, ...includes.body() };
}

/** Renders the response with a page of lists. */
export function listPageDocument(
  context: RenderContext,
  page: ListPage<ListRow>,
  selection: Selection,
): WireObject {
  const includes = new Includes(context, selection);
  const data = page.items.map((list) => renderList(context, list, selection, includes));
  return { ...(data.length === 0 ? {} : { data }), ...includes.body(), meta: metaOf(page) };
}

function renderList(
  { world }: RenderContext,
  list: ListRow,
  { fields, expansions }: Selection,
  includes: Includes,
): WireObject {
  if (expansions.has("owner_id")) includes.user(list.ownerId, "owner_id");
  const ties = listTies.in(world);
  return pick("list", new Set([...fields.list, ...expansions]), {
    id: () => list.id,
    name: () => list.name,
    created_at: () => new Date(list.at).toISOString(),
    description: () => list.description,
    follower_count: () => ties.count("list", `follower:${list.id}`),
    member_count: () => ties.count("list", `member:${list.id}`),
    owner_id: () => list.ownerId,
    private: () => list.private,
  });
}
