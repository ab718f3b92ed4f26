import type { PagedList } from "../../kernel/world/paging.ts";
import type { RenderContext } from "../../rendering/render-context.ts";
import { type PostRow, posts } from "../../model/posts.ts";
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
