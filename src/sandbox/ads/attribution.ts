import type { EngagementType } from "../../interface/ads.ts";
import type { Engagement } from "./entities.ts";

/** What attribution looks at of a conversion. Times are milliseconds since the Unix epoch. */
export interface Conversion {
  readonly at: number;
  /** Days in which a click counts. */
  readonly clickDays: number;
  /** Days in which a view counts; 0 turns views off. */
  readonly viewDays: number;
  /** The last engagement elsewhere, as the partner tells it. */
  readonly elsewhere?: { readonly at: number; readonly type: EngagementType | undefined };
}

interface Touch {
  readonly at: number;
  readonly type: EngagementType;
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * The engagement a conversion is attributed to, of those of its app and device.
 *
 * Last touch, clicks first: of the engagements inside their windows any click beats any view, and
 * among equals the latest wins. An engagement elsewhere takes part in the same comparison and
 * takes the claim away when it wins: one conversion has one cause, and an engagement that the
 * platform's own rule would prefer cannot be passed over for being on another network. Told
 * without a type, it counts as the kind of the platform's best.
 */
export function attribute(
  conversion: Conversion,
  engagements: readonly Engagement[],
): Engagement | undefined {
  let best: Engagement | undefined;
  for (const engagement of engagements) {
    if (!counts(conversion, engagement)) continue;
    if (best === undefined || beats(engagement, best)) best = engagement;
  }
  const { elsewhere } = conversion;
  if (best === undefined || elsewhere === undefined) return best;
  const rival = { at: elsewhere.at, type: elsewhere.type ?? best.type };
  return counts(conversion, rival) && beats(rival, best) ? undefined : best;
}

/** Whether a touch lies inside its window, both ends included. */
function counts(conversion: Conversion, { at, type }: Touch): boolean {
  const window = type === "CLICK" ? conversion.clickDays : conversion.viewDays;
  const age = conversion.at - at;
  return window > 0 && age >= 0 && age <= window * DAY_MS;
}

function beats(a: Touch, b: Touch): boolean {
  return a.type === b.type ? a.at > b.at : a.type === "CLICK";
}
