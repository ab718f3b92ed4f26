import { users } from "../accounts/entities.ts";
import { hiddenUserReason } from "../accounts/hidden-reason.ts";
import { hiddenObjectError } from "../data-query/partial-errors.ts";
import { type RenderContext, renderContext } from "../data-query/render-context.ts";
import { userOf } from "../auth/caller.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteCall } from "../kernel/http/route.ts";
import { type ListRow, lists } from "./entities.ts";

/** Whether somebody sees a list: an app alone sees those that everybody sees. */
export function isListVisible(
  { world, viewer }: Pick<RenderContext, "viewer" | "world">,
  list: ListRow | undefined,
): boolean {
  if (list === undefined || (list.private && list.ownerId !== viewer)) return false;
  return hiddenUserReason(users.in(world).get(list.ownerId)) === undefined;
}

/** A list that the caller may see. @throws {ApiError} 404 that names it. */
export function findVisibleList(call: RouteCall, id: string, parameter: string): ListRow {
  const context = renderContext(call);
  const list = lists.in(context.world).get(id);
  if (list !== undefined && isListVisible(context, list)) return list;
  throw hiddenObjectError(context, "missing", { resource: "list", parameter, value: id });
}

/** A list of the caller's own. @throws {ApiError} 404, or 403 where it is somebody else's. */
export function findOwnList(call: RouteCall, id: string): ListRow {
  const list = findVisibleList(call, id, "id");
  if (list.ownerId === userOf(call.caller).id) return list;
  throw ApiError.forbidden("You are not allowed to change this List.");
}
