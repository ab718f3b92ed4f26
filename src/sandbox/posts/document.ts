import { POST_EXPANSIONS } from "../../interface/fields.ts";
import { Includes } from "../fields/includes.ts";
import { metaOf, type Page } from "../fields/paging.ts";
import { fieldProblem } from "../fields/problems.ts";
import type { Query } from "../fields/query.ts";
import type { Reader } from "../fields/reader.ts";
import { readSelection, type Selection } from "../fields/selection.ts";
import type { Post } from "./entities.ts";
import { broughtFields, expandPost } from "./expand.ts";
import { PRIVATE_FIELDS, renderPost } from "./render.ts";

type Wire = Record<string, unknown>;

/** Reads what an endpoint that answers with posts lets be selected. */
export function readPostSelection(query: Query): Selection {
  return readSelection(query, ["post", "user", "media", "poll", "place"], POST_EXPANSIONS);
}

/** Posts as wire objects; what they refer to is added to `includes`. */
export function showPosts(
  reader: Reader,
  shown: readonly Post[],
  { fields, expansions }: Selection,
  includes: Includes,
): Wire[] {
  const selected = new Set([...fields.post, ...broughtFields(expansions)]);
  const hidden = PRIVATE_FIELDS.filter((name) => fields.post.has(name));
  return shown.map((post) => {
    expandPost(reader.world, post, expansions, includes);
    if (post.authorId !== reader.viewer) {
      for (const field of hidden) includes.tell(fieldProblem(reader, field, post.id));
    }
    return renderPost(reader, post, selected);
  });
}

/** The answer with one page of posts. `meta` tells their span; an empty list is left out. */
export function pageDocument(reader: Reader, page: Page<Post>, selection: Selection): Wire {
  const includes = new Includes(reader, selection);
  const data = showPosts(reader, page.items, selection, includes);
  const newest = page.items[0];
  const oldest = page.items.at(-1);
  return {
    ...(data.length === 0 ? {} : { data }),
    ...includes.body(),
    meta: {
      ...(newest === undefined ? {} : { newest_id: newest.id }),
      ...(oldest === undefined ? {} : { oldest_id: oldest.id }),
      ...metaOf(page),
    },
  };
}

/** The answer with one post. */
export function postDocument(reader: Reader, post: Post, selection: Selection): Wire {
  const includes = new Includes(reader, selection);
  const [data] = showPosts(reader, [post], selection, includes);
  return { data, ...includes.body() };
}
