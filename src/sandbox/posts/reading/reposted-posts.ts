import type { PagedList } from "../../data-query/paging.ts";
import type { RenderContext } from "../../data-query/render-context.ts";
import { type PostRow, posts } from "../entities.ts";
import { type ListBounds, pagedPosts } from "./paged-posts.ts";

/** Posts of a user that others have reposted, newest first. */
export function repostedPosts(
  context: RenderContext,
  userId: string,
  bounds: ListBounds = {},
): PagedList<PostRow> {
  const table = posts.in(context.world);
  const isReposted = ({ id }: PostRow): boolean =>
    table.where("repostOf", id).some(({ authorId }) => authorId !== userId);
  return pagedPosts(context, [{ index: "author", value: userId }], bounds, isReposted);
}
