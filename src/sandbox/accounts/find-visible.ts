import { hiddenObjectError } from "../data-query/partial-errors.ts";
import { renderContext } from "../data-query/render-context.ts";
import type { RouteCall } from "../kernel/http/route.ts";
import { type UserRow, users } from "./entities.ts";
import { hiddenAuthorReason, hiddenUserReason } from "./hidden-reason.ts";

/** A visible user that a path or body names. @throws {ApiError} 404, or 403 for a suspended one. */
export function findVisibleUser(call: RouteCall, id: string, parameter: string): UserRow {
  const context = renderContext(call);
  const user = users.in(context.world).get(id);
  const reason = hiddenUserReason(user);
  if (reason === undefined && user !== undefined) return user;
  throw hiddenObjectError(context, reason ?? "missing", { resource: "user", parameter, value: id });
}

/** A user whose posts and relationships the caller may see. @throws {ApiError} 404 or 403. */
export function findReadableUser(call: RouteCall, id: string): UserRow {
  const user = findVisibleUser(call, id, "id");
  const context = renderContext(call);
  const reason = hiddenAuthorReason(context.world, context.viewer, id);
  if (reason === undefined) return user;
  throw hiddenObjectError(context, reason, { resource: "user", parameter: "id", value: id });
}
