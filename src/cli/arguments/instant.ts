import { InvalidArgumentError } from "commander";

const ISO_8601 = /^\d{4}-\d\d-\d\d(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i;

/**
 * Converts a date or a time in ISO 8601 to milliseconds since the epoch; undefined for other texts. A time without a
 * zone is in UTC, like all times that commands print.
 */
export function instantMs(text: string): number | undefined {
  // Date.parse reads other texts, too, for instance "5" as a day in 2001
  const match = ISO_8601.exec(text);
  if (match === null || !hasDay(text)) return undefined;
  const [, time, zone] = match;
  const at = Date.parse(time === undefined || zone !== undefined ? text : `${text}Z`);
  return Number.isNaN(at) ? undefined : at;
}

/** Whether the calendar has the day of an ISO 8601 text. `Date.parse` reads 31 November as 1 December. */
function hasDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Parses a date or a time in ISO 8601, in UTC without a zone. @returns The time in ISO 8601 with a zone. */
export function instant(text: string): string {
  const at = instantMs(text);
  if (at !== undefined) return new Date(at).toISOString();
  throw new InvalidArgumentError('It must be a time in ISO 8601, as "2030-01-31T09:00:00Z".');
}
