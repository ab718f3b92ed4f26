import type { Query } from "../data-query/query.ts";
import type { ListBounds } from "../posts/reading/paged-posts.ts";

/** How far back recent search reaches. */
const WINDOW_MS = 7 * 24 * 60 * 60_000;

/** The bounds of a recent search; what lies outside its window is a fault of the query. */
export function readBounds(query: Query, now: number): ListBounds {
  const oldest = now - WINDOW_MS;
  const startTime = query.time("start_time");
  const endTime = query.time("end_time");
  const iso = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`;
  // The limit is in whole minutes, so a start within its minute is still valid.
  if (startTime !== undefined && startTime < oldest - 60_000) {
    const given = new Date(startTime).toISOString();
    query.addFaultMessage(
      "start_time",
      given,
      `Invalid 'start_time':'${given}'. 'start_time' must be on or after ${iso(oldest)}.`,
    );
  }
  for (const [name, at] of [
    ["start_time", startTime],
    ["end_time", endTime],
  ] as const) {
    if (at === undefined || at <= now + 60_000) continue;
    const given = new Date(at).toISOString();
    query.addFaultMessage(
      name,
      given,
      `Invalid '${name}':'${given}'. '${name}' must not be in the future.`,
    );
  }
  if (endTime !== undefined && (startTime ?? oldest) >= endTime) {
    const given = new Date(endTime).toISOString();
    query.addFaultMessage(
      "end_time",
      given,
      `Invalid 'end_time':'${given}'. 'end_time' must be after 'start_time'.`,
    );
  }
  return {
    sinceId: query.id("since_id"),
    untilId: query.id("until_id"),
    startTime: Math.max(startTime ?? oldest, oldest),
    endTime,
  };
}
