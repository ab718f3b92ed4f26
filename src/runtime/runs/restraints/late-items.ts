import { actionKind } from "../../../actions/actions.ts";
import type { OpeningHours } from "../../../hours/opening-hours.ts";
import { HELD_QUIET, isWantedNow, type Item, type ItemTransition } from "../../store/item.ts";
import type { Store } from "../../store/store.ts";
import { optOutOf } from "./opt-out.ts";
import { afterwards } from "./quiet-hours.ts";

export interface LateItemNeeds {
  readonly store: Pick<Store, "load">;
  /** Whether people can opt out. */
  readonly hasOptOut: boolean;
  /** Returns the hours in which an account does not write first. Absent: no quiet hours. */
  readonly quietHoursOf?: ((account: string) => OpeningHours | undefined) | undefined;
  /** Returns the time of the platform's clock. */
  readonly now: () => number;
}

/**
 * Creates the function that applies opt-outs and quiet hours to an item that was not sent when it was queued, because a
 * limit or an outage delayed it. It returns the change of the item; undefined if the item may be sent.
 *
 * An item that answers a person, or that the operator has queued again, ignores quiet hours.
 */
export function lateItems({ store, hasOptOut, quietHoursOf, now }: LateItemNeeds) {
  return async (
    item: Item,
  ): Promise<Pick<ItemTransition, "to" | "reason" | "notBefore" | "expiresAt"> | undefined> => {
    if (!actionKind(item.action.type).noticed) return undefined;
    const optOut = hasOptOut ? optOutOf(item) : undefined;
    if (optOut !== undefined && (await store.load([optOut.key])).has(optOut.key)) {
      return { to: "failed", reason: optOut.reason };
    }
    const isAwaited = (item.priority ?? 0) === 0 || isWantedNow(item);
    const hours = isAwaited ? undefined : quietHoursOf?.(item.account);
    const later = hours && afterwards(item, hours, now());
    return later && { to: "held", reason: HELD_QUIET, ...later };
  };
}
