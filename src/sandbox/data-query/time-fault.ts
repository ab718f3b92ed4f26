import type { Query } from "./query.ts";

/** Adds a fault about the time of a parameter, in the words of the live service. */
export function addTimeFault(query: Query, name: string, at: number, rule: string): void {
  const time = new Date(at).toISOString();
  query.addFaultMessage(name, time, `Invalid '${name}':'${time}'. '${name}' ${rule}.`);
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Reads the time range of a stream. A range that has both times may be past: it is sent again, and the stream ends.
 * Source: the live service's page about recovery.
 */
export function readStreamSpan(
  query: Query,
  now: number,
): { readonly start: number | undefined; readonly end: number | undefined } {
  const start = query.time("start_time");
  const end = query.time("end_time");
  if (start !== undefined && start < now - DAY_MS - MINUTE_MS) {
    addTimeFault(query, "start_time", start, "must be within the last 24 hours");
  }
  checkPeriod(query, start, end);
  if (start === undefined && end !== undefined && end <= now) {
    addTimeFault(query, "end_time", end, "must be in the future, or come with a 'start_time'");
  }
  return { start, end };
}

/** Adds a fault if a period ends before it starts, or is empty. */
export function checkPeriod(
  query: Query,
  startTime: number | undefined,
  endTime: number | undefined,
): void {
  if (startTime === undefined || endTime === undefined || startTime < endTime) return;
  addTimeFault(query, "end_time", endTime, "must be after 'start_time'");
}
