import { userOf } from "../auth/caller.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Call } from "../kernel/route.ts";
import type { User } from "./entities.ts";

/** The caller, where the path names it. @throws {Refusal} 403 where it names somebody else. */
export function selfOf(call: Call, parameter = "id"): User {
  const user = userOf(call.caller);
  if (call.params[parameter] === user.id) return user;
  throw Refusal.forbidden(
    `The \`${parameter}\` path parameter must be the id of the authenticated user, [${user.id}].`,
  );
}
