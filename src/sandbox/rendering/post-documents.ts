import { metaOf, type ListPage } from "../kernel/world/paging.ts";
import type { PostRow } from "../model/posts.ts";
import { Includes } from "./includes.ts";
import { privateFieldError } from "./partial-errors.ts";
import type { RenderContext } from "./render-context.ts";
import type { Selection, WireObject } from "./selection.ts";
import { expandedFields, expandPost } from "./expand-post.ts";
import { PRIVATE_FIELDS, renderPost } from "./posts.ts";

/** Renders posts as JSON objects, and adds referenced objects to `includes`. */
export function renderPosts(
  context: RenderContext,
  posts: readonly PostRow[],
  { fields, expansions }: Selection,
  includes: Includes,
): WireObject[] {
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

/** Renders one page of a timeline or search. `meta` has the newest and oldest id; `data` is absent if empty. */
export function postPageDocument(
  context: RenderContext,
  page: ListPage<PostRow>,
  selection: Selection,
): WireObject {
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

/** Renders one page of any other list of posts. `meta` lacks the ids of the newest and the oldest post. */
export function postListDocument(
  context: RenderContext,
  page: ListPage<PostRow>,
  selection: Selection,
): WireObject {
  const includes = new Includes(context, selection);
  const data = renderPosts(context, page.items, selection, includes);
  return { ...(data.length === 0 ? {} : { data }), ...includes.body(), meta: metaOf(page) };
}

/** Renders the response with one post. */
export function postDocument(
  context: RenderContext,
  post: PostRow,
  selection: Selection,
): WireObject {
  const includes = new Includes(context, selection);
  const [data] = renderPosts(context, [post], selection, includes);
  return { data, ...includes.body() };
}
