import type { ActiveFault } from "../../../sandbox/control/objects.ts";

/** Returns whether a fault can no longer happen. */
export function isOver({ when, hits }: ActiveFault, now: number): boolean {
  if ("next" in when) return hits >= when.next;
  return "until" in when && now >= Date.parse(when.until);
}
