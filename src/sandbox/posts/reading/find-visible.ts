import { renderContext } from "../../data-query/render-context.ts";
import { hiddenObjectError } from "../../data-query/partial-errors.ts";
import type { RouteCall } from "../../kernel/http/route.ts";
import { type PostRow, posts } from "../entities.ts";
import { hiddenPostReason } from "./hidden-reason.ts";

/** A post that is visible to the caller. @throws {ApiError} 404 or 403 that names it. */
export function findVisiblePost(call: RouteCall, id: string, parameter: string): PostRow {
  const context = renderContext(call);
  const post = posts.in(context.world).get(id);
  const reason = hiddenPostReason(context.world, context.viewer, post);
  if (reason === undefined && post !== undefined) return post;
  throw hiddenObjectError(context, reason ?? "missing", { resource: "post", parameter, value: id });
}

/** The same; of a repost, its original. */
export function findOriginalPost(call: RouteCall, id: string, parameter: string): PostRow {
  const post = findVisiblePost(call, id, parameter);
  if (post.repostOf === undefined) return post;
  return posts.in(call.sandbox.world).get(post.repostOf) ?? post;
}
