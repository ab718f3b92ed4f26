import type { RenderContext } from "../rendering/render-context.ts";
import type { RouteCall } from "../server/route.ts";
import { userOf } from "../auth/caller.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { type UserRow, users } from "../model/accounts.ts";
import { hiddenObjectError } from "../rendering/partial-errors.ts";
import {
  hiddenAuthorReason,
  hiddenUserReason,
  hiddenPostReason,
  isListVisible,
} from "../model/hidden-reason.ts";
import { type PostRow, posts } from "../model/posts.ts";
import { type ListRow, lists } from "../model/lists.ts";

/** Returns the settings for rendering a response: the user who sees it, `tweet` or `post` names, and the time. */
export function renderContext({ sandbox, caller, dialect, origin }: RouteCall): RenderContext {
  return {
    world: sandbox.world,
    baseUrl: origin,
    dialect,
    now: sandbox.time.now(),
    viewer: "user" in caller ? caller.user.id : undefined,
    email:
      (caller.kind === "oauth1" && caller.app.email) ||
      (caller.kind === "oauth2" && caller.scopes.includes("users.email")),
  };
}

/** Returns the caller if the path names the caller. @throws {ApiError} 403 if it names another user. */
export function requireSelf(call: RouteCall, parameter = "id"): UserRow {
  const user = userOf(call.caller);
  if (call.params[parameter] === user.id) return user;
  throw ApiError.forbidden(
    `The \`${parameter}\` path parameter must be the id of the authenticated user, [${user.id}].`,
  );
}

/** Finds a user that a path or body names. @throws {ApiError} 404 for an unknown user, 403 for a suspended user. */
export function findVisibleUser(call: RouteCall, id: string, parameter: string): UserRow {
  const context = renderContext(call);
  const user = users.in(context.world).get(id);
  const reason = hiddenUserReason(user);
  if (reason === undefined && user !== undefined) return user;
  throw hiddenObjectError(context, reason ?? "missing", { resource: "user", parameter, value: id });
}

/** Finds a user whose posts and relationships the caller may see. @throws {ApiError} 404 or 403. */
export function findReadableUser(call: RouteCall, id: string): UserRow {
  const user = findVisibleUser(call, id, "id");
  const context = renderContext(call);
  const reason = hiddenAuthorReason(context.world, context.viewer, id);
  if (reason === undefined) return user;
  throw hiddenObjectError(context, reason, { resource: "user", parameter: "id", value: id });
}

/** Finds a post that is visible to the caller. @throws {ApiError} 404 or 403 that names the post. */
export function findVisiblePost(call: RouteCall, id: string, parameter: string): PostRow {
  const context = renderContext(call);
  const post = posts.in(context.world).get(id);
  const reason = hiddenPostReason(context.world, context.viewer, post);
  if (reason === undefined && post !== undefined) return post;
  throw hiddenObjectError(context, reason ?? "missing", { resource: "post", parameter, value: id });
}

/** Finds a post as {@link findVisiblePost} does; for a repost, returns the original post. */
export function findOriginalPost(call: RouteCall, id: string, parameter: string): PostRow {
  const post = findVisiblePost(call, id, parameter);
  if (post.repostOf === undefined) return post;
  return posts.in(call.sandbox.world).get(post.repostOf) ?? post;
}

/** Finds a list that the caller may see. @throws {ApiError} 404 that names the list. */
export function findVisibleList(call: RouteCall, id: string, parameter: string): ListRow {
  const context = renderContext(call);
  const list = lists.in(context.world).get(id);
  if (list !== undefined && isListVisible(context, list)) return list;
  throw hiddenObjectError(context, "missing", { resource: "list", parameter, value: id });
}

/** Finds a list that the caller owns. @throws {ApiError} 404, or 403 if another user owns it. */
export function findOwnList(call: RouteCall, id: string): ListRow {
  const list = findVisibleList(call, id, "id");
  if (list.ownerId === userOf(call.caller).id) return list;
  throw ApiError.forbidden("You are not allowed to change this List.");
}
