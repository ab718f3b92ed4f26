import { userOf } from "../auth/caller.ts";
import type { RouteCall } from "../kernel/http/route.ts";
import { adsAccounts } from "./entities.ts";
import { pathParams } from "./query.ts";
import { adsError } from "./ads-error.ts";

/**
 * The account of the path, which must be associated with the authenticated user.
 *
 * @returns its id.
 * @throws {ApiError} 403, the same for an account of others and for none.
 */
export function accountOf(call: RouteCall): string {
  const value = call.params["account_id"] ?? "";
  const account = adsAccounts.in(call.sandbox.world).get(value);
  if (account !== undefined && account.userId === userOf(call.caller).id) return account.id;
  const message = `The account ${value} is not associated with the authenticated user.`;
  const error = { code: "ACCOUNT_NOT_FOUND", message, parameter: "account_id", value };
  throw adsError(403, [error], pathParams(call));
}
