import type { EngagementType } from "../../protocol/ads.ts";
import type { EngagementRow } from "../model/ads.ts";

/** Properties of a conversion that attribution uses. Times are milliseconds since the Unix epoch. */
export interface AttributionInput {
  readonly at: number;
  /** Attribution window of clicks, in days; 0 turns clicks off. */
  readonly clickDays: number;
  /** Attribution window of views, in days; 0 turns views off. */
  readonly viewDays: number;
  /** The person's last click on an ad, or view of an ad, on another network before the conversion. */
  readonly otherNetwork?: { readonly at: number; readonly type: EngagementType | undefined };
}

interface TouchPoint {
  readonly at: number;
  readonly type: EngagementType;
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * Returns the engagement that a conversion is attributed to, among the engagements of its app and device.
 *
 * Last touch, clicks first: inside their windows, any click beats any view, and the later of two clicks or views wins.
 * An engagement on another network takes part in this comparison. If that engagement wins, the result is `undefined`: a
 * conversion has one cause, and the cause was not on the platform. An engagement that the partner reports without a
 * type counts as the type of the platform's best engagement.
 */
export function attribute(
  conversion: AttributionInput,
  engagements: readonly EngagementRow[],
): EngagementRow | undefined {
  let best: EngagementRow | undefined;
  for (const engagement of engagements) {
    if (!isInWindow(conversion, engagement)) continue;
    if (best === undefined || beats(engagement, best)) best = engagement;
  }
  const { otherNetwork } = conversion;
  if (best === undefined || otherNetwork === undefined) return best;
  const other = { at: otherNetwork.at, type: otherNetwork.type ?? best.type };
  return isInWindow(conversion, other) && beats(other, best) ? undefined : best;
}

/** Engagement that was compared for a conversion. Times are milliseconds since the Unix epoch. */
export interface WeighedEngagement {
  readonly engagement: EngagementRow;
  /** End of the engagement's attribution window, included. Absent if engagements of its type do not count at all. */
  readonly countsUntil?: number;
  readonly isWinner: boolean;
  /** Reason why the engagement won or lost, in a sentence. */
  readonly why: string;
}

/** Attributes as {@link attribute} does, and returns the reason for each engagement. */
export function weigh(
  conversion: AttributionInput,
  engagements: readonly EngagementRow[],
): readonly WeighedEngagement[] {
  const winner = attribute(conversion, engagements);
  return engagements.map((engagement) => {
    const days = engagement.type === "CLICK" ? conversion.clickDays : conversion.viewDays;
    const isWinner = engagement === winner;
    return {
      engagement,
      ...(days > 0 && { countsUntil: engagement.at + days * DAY_MS }),
      isWinner,
      why: isWinner ? "it is the last that counts" : lossOf(conversion, engagement, winner),
    };
  });
}

function lossOf(
  conversion: AttributionInput,
  { at, type }: EngagementRow,
  winner: EngagementRow | undefined,
): string {
  const kind = type === "CLICK" ? "click" : "view";
  const days = type === "CLICK" ? conversion.clickDays : conversion.viewDays;
  if (days === 0) return `${kind}s don't count: their window is 0 days`;
  if (at > conversion.at) return `the ${kind} came after the conversion`;
  if (!isInWindow(conversion, { at, type })) {
    return `the ${kind} is older than its window of ${days} ${days === 1 ? "day" : "days"}`;
  }
  if (winner === undefined) return "an engagement on another network came later";
  if (winner.type !== type) return "a click inside its window beats every view";
  return `a later ${kind} won`;
}

/** Returns whether an engagement lies inside its attribution window, both ends included. */
function isInWindow(conversion: AttributionInput, { at, type }: TouchPoint): boolean {
  const window = type === "CLICK" ? conversion.clickDays : conversion.viewDays;
  const age = conversion.at - at;
  return window > 0 && age >= 0 && age <= window * DAY_MS;
}

function beats(a: TouchPoint, b: TouchPoint): boolean {
  return a.type === b.type ? a.at > b.at : a.type === "CLICK";
}
