import { idAt, objectAt, type Wire, wireOf } from "../wire.ts";

/**
 * Returns the user ids of the accounts that a delivery is for, of the older or the newer webhook interface. Also finds
 * them in events that can't be converted. Empty if the delivery names no account.
 */
export function deliveryAccounts(body: object): readonly string[] {
  const whole = wireOf(body);
  const account = idAt(whole, "for_user_id");
  if (account !== undefined) return [account];
  const data = whole?.["data"];
  const elements: readonly unknown[] = Array.isArray(data) ? data : [data];
  return [...new Set(elements.flatMap((element) => activityAccount(wireOf(element)) ?? []))];
}

/** Returns the user id of the account that an event of the activity interface is for. */
export function activityAccount(event: Wire | undefined): string | undefined {
  return idAt(objectAt(event, "filter"), "user_id");
}
