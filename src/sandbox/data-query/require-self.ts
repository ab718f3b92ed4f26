import { userOf } from "../auth/caller.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteCall } from "../server/route.ts";
import type { UserRow } from "../model/accounts.ts";

/** The caller, where the path names it. @throws {ApiError} 403 where it names somebody else. */
export function requireSelf(call: RouteCall, parameter = "id"): UserRow {
  const user = userOf(call.caller);
  if (call.params[parameter] === user.id) return user;
  throw ApiError.forbidden(
    `The \`${parameter}\` path parameter must be the id of the authenticated user, [${user.id}].`,
  );
}
