import type { ActiveFault } from "../../../sandbox/control/objects.ts";

/** Returns whether a fault has ended: it has occurred as often as requested, or its end time has passed. */
export function isOver({ when, hits }: ActiveFault, now: number): boolean {
  if ("next" in when) return hits >= when.next;
  return "until" in when && now >= Date.parse(when.until);
}
