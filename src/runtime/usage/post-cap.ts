import type { PostUsage } from "../../client/client.ts";

const DAY_MS = 86_400_000;

/** Posts that the app has received this month, and its cap. Times are milliseconds since the epoch, by the platform's clock. */
export interface MonthOfPosts {
  readonly used: number;
  readonly cap: number;
  /** Day on which the count starts again at 0, as the time of 0:00 UTC. */
  readonly resetsOn: number;
  /** Time at which the platform reported these numbers. */
  readonly readAt: number;
}

/**
 * Share of the cap that is used. `low`: below 80 %. `near`: from 80 % on. `reached`: all of it, so no more posts
 * arrive.
 */
export type CapLevel = "low" | "near" | "reached";

const NEAR_SHARE = 0.8;

/** Converts the platform's usage report, received at `now`, to a {@link MonthOfPosts}. */
export function monthOf(usage: PostUsage, now: number): MonthOfPosts {
  const { project_usage: used, project_cap: cap, cap_reset_day: days } = usage;
  return { used, cap, resetsOn: (Math.floor(now / DAY_MS) + days) * DAY_MS, readAt: now };
}

export function capLevel({ used, cap }: Pick<MonthOfPosts, "used" | "cap">): CapLevel {
  if (used >= cap) return "reached";
  return used >= cap * NEAR_SHARE ? "near" : "low";
}

/** Formats a day, such as `2026-07-01`. */
export function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/**
 * Returns `1600 of 2000 posts received this month (80 %), reset on 2026-07-01`; at the cap, with {@link AT_THE_CAP}.
 */
export function capLine({ used, cap, resetsOn }: Omit<MonthOfPosts, "readAt">): string {
  const share = cap === 0 ? 100 : Math.floor((100 * used) / cap);
  const month = `${used} of ${cap} posts received this month (${share} %), reset on ${dayText(resetsOn)}`;
  return used < cap ? month : `${month}: ${AT_THE_CAP}`;
}

/** Consequences of a reached cap, for people. */
export const AT_THE_CAP =
  "no mentions, replies or searched posts arrive, and look-ups of posts fail; messages arrive, and answers are sent";
