import type { ActiveFault } from "../../../sandbox/control/objects.ts";

/** Whether a fault can't happen any more. @param now The sandbox's time. */
export function isOver({ when, hits }: ActiveFault, now: number): boolean {
  if ("next" in when) return hits >= when.next;
  return "until" in when && now >= Date.parse(when.until);
}
