import { durationText } from "../../text/duration-text.ts";
import type { LiveCost } from "../../sandbox/control/objects.ts";
import { counted } from "../../text/counted.ts";

/**
 * Compares the requests of the last hour with the limits of the live platform, if the sandbox does not enforce them.
 *
 * @param handleOf Returns the handle of a user id, without `@`.
 * @returns `undefined` if the sandbox enforces the limits.
 */
export function liveCostLine(
  { enabled, requests }: LiveCost,
  handleOf: (id: string) => string | undefined,
): string | undefined {
  if (enabled) return undefined;
  const off = "off in this sandbox; answerback dev --limits turns them on";
  const over = requests.filter((one) => one.over > 0);
  const [first] = over.length > 0 ? over : requests;
  if (first === undefined) return off;
  const { endpoint, by, who, most, limit, window_ms: windowMs } = first;
  const whose = by === "app" ? "the app" : `@${handleOf(who) ?? who}`;
  const busiest = `${most} of ${limit} in ${durationText(windowMs)} for ${endpoint} by ${whose}`;
  const others = over.length > 1 ? `, and ${counted(over.length - 1, "more limit")}` : "";
  return over.length > 0
    ? `${off}. This hour would have exceeded on the live platform: ${busiest}${others}`
    : `${off}. Closest to a limit of the live platform in this hour: ${busiest}`;
}
