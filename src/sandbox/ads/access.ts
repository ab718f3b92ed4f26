import { userOf } from "../auth/caller.ts";
import type { Call } from "../kernel/route.ts";
import { adsAccounts } from "./entities.ts";
import { pathParams } from "./query.ts";
import { adsRefusal } from "./refusal.ts";

/**
 * The account of the path, which must be associated with the authenticated user.
 *
 * @returns its id.
 * @throws {Refusal} 403, the same for an account of others and for none.
 */
export function accountOf(call: Call): string {
  const value = call.params["account_id"] ?? "";
  const account = adsAccounts.in(call.sandbox.world).get(value);
  if (account !== undefined && account.userId === userOf(call.caller).id) return account.id;
  const message = `The account ${value} is not associated with the authenticated user.`;
  const error = { code: "ACCOUNT_NOT_FOUND", message, parameter: "account_id", value };
  throw adsRefusal(403, [error], pathParams(call));
}
