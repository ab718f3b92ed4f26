import type { Query } from "./query.ts";

/** Adds a fault about the time of a parameter, in the words of the live service. */
export function addTimeFault(query: Query, name: string, at: number, rule: string): void {
  const time = new Date(at).toISOString();
  query.addFaultMessage(name, time, `Invalid '${name}':'${time}'. '${name}' ${rule}.`);
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
