import { POST_EXPANSIONS } from "../../../protocol/fields.ts";
import { Includes } from "../includes.ts";
import { metaOf, type ListPage } from "../../data-query/paging.ts";
import { privateFieldError } from "../../data-query/partial-errors.ts";
import type { Query } from "../../data-query/query.ts";
import type { RenderContext } from "../../data-query/render-context.ts";
import { readSelection, type Selection } from "../../data-query/selection.ts";
import type { PostRow } from "../entities.ts";
import { expandedFields, expandPost } from "./expand.ts";
import { PRIVATE_FIELDS, renderPost } from "./render.ts";

type Wire = Record<string, unknown>;

/** Reads the selection of an endpoint that returns posts. */
export function readPostSelection(query: Query): Selection {
  return readSelection(query, ["post", "user", "media", "poll", "place"], POST_EXPANSIONS);
}

/** Posts as wire objects; what they refer to is added to `includes`. */
export function renderPosts(
  context: RenderContext,
  posts: readonly PostRow[],
  { fields, expansions }: Selection,
  includes: Includes,
): Wire[] {
  const selected = new Set([...fields.post, ...expandedFields(expansions)]);
  const hidden = PRIVATE_FIELDS.filter((name) => fields.post.has(name));
  return posts.map((post) => {
    expandPost(context.world, post, expansions, includes);
    if (post.authorId !== context.viewer) {
      for (const field of hidden) includes.addError(privateFieldError(context, field, post.id));
    }
    return renderPost(context, post, selected);
  });
}

/** The response with one page of a timeline or search. `meta` has the first and last id; an empty list is left out. */
export function postPageDocument(
  context: RenderContext,
  page: ListPage<PostRow>,
  selection: Selection,
): Wire {
  const newest = page.items[0];
  const oldest = page.items.at(-1);
  const { meta, ...document } = postListDocument(context, page, selection);
  return {
    ...document,
    meta: {
      ...(newest === undefined ? {} : { newest_id: newest.id }),
      ...(oldest === undefined ? {} : { oldest_id: oldest.id }),
      ...Object(meta),
    },
  };
}

/** The response with one page of any other list of posts: `meta` does not name the newest and the oldest. */
export function postListDocument(
  context: RenderContext,
  page: ListPage<PostRow>,
  selection: Selection,
): Wire {
  const includes = new Includes(context, selection);
  const data = renderPosts(context, page.items, selection, includes);
  return { ...(data.length === 0 ? {} : { data }), ...includes.body(), meta: metaOf(page) };
}

/** The response with one post. */
export function postDocument(context: RenderContext, post: PostRow, selection: Selection): Wire {
  const includes = new Includes(context, selection);
  const [data] = renderPosts(context, [post], selection, includes);
  return { data, ...includes.body() };
}
