import { endsAt, isOpenAt, type OpeningHours } from "../../../hours/opening-hours.ts";
import { HELD_QUIET, type NewItem } from "../../store/item.ts";

/** Milliseconds after a person's message in which the person expects an answer, even in quiet hours. */
const WAITS_FOR_MS = 60 * 60_000;

/** Returns `item`, held until the quiet hours end if it would be sent in them and no person waits for it. */
export function afterQuietHours(
  { heardAt = -Infinity, ...item }: NewItem,
  hours: OpeningHours,
  now: number,
): NewItem {
  const at = Math.max(now, item.notBefore);
  if (at - heardAt <= WAITS_FOR_MS) return item;
  const later = afterwards(item, hours, at);
  return later === undefined ? item : { ...item, ...later, holdReason: HELD_QUIET };
}

/** Returns the times of an item that is due at `at` and has to wait; undefined if `at` is not in the quiet hours. */
export function afterwards(
  { expiresAt }: Pick<NewItem, "expiresAt">,
  hours: OpeningHours,
  at: number,
): Pick<NewItem, "notBefore" | "expiresAt"> | undefined {
  if (!isOpenAt(hours, at)) return undefined;
  const notBefore = endOf(hours, at);
  return {
    notBefore,
    ...(expiresAt !== undefined && { expiresAt: expiresAt + (notBefore - at) }),
  };
}

/** Last computed end of quiet hours. It is cached because many items are held until the same end. */
const ends = new WeakMap<OpeningHours, { readonly from: number; readonly to: number }>();

function endOf(hours: OpeningHours, at: number): number {
  const cached = ends.get(hours);
  if (cached !== undefined && cached.from <= at && at < cached.to) return cached.to;
  const to = endsAt(hours, at);
  ends.set(hours, { from: at, to });
  return to;
}
