import { endsAt, isOpenAt, type OpeningHours } from "../../../hours/opening-hours.ts";
import { HELD_QUIET, type NewItem } from "../../store/item.ts";

/** Who wrote so lately waits for the answer, at night as well. */
const WAITS_FOR_MS = 60 * 60_000;

/** `item`, which waits for the end of quiet hours where it is held in them and nobody waits for it. */
export function afterQuietHours(
  { heardAt = -Infinity, ...item }: NewItem,
  hours: OpeningHours,
  now: number,
): NewItem {
  const at = Math.max(now, item.notBefore);
  if (at - heardAt <= WAITS_FOR_MS || !isOpenAt(hours, at)) return item;
  const notBefore = endOf(hours, at);
  const { expiresAt } = item;
  return {
    ...item,
    notBefore,
    holdReason: HELD_QUIET,
    ...(expiresAt !== undefined && { expiresAt: expiresAt + (notBefore - at) }),
  };
}

/** When the hours end that were looked at last: at night many ask for the same. */
const ends = new WeakMap<OpeningHours, { readonly from: number; readonly to: number }>();

function endOf(hours: OpeningHours, at: number): number {
  const known = ends.get(hours);
  if (known !== undefined && known.from <= at && at < known.to) return known.to;
  const to = endsAt(hours, at);
  ends.set(hours, { from: at, to });
  return to;
}
