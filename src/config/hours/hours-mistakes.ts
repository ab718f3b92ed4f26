import { didYouMean } from "../../text/did-you-mean.ts";
import { closedMeant, openMeant } from "./hours-meant.ts";
import type { Mistake } from "../problem.ts";

/** Mistakes in written opening hours, with their corrections. */

/** Zones by abbreviation. Most abbreviations belong to several zones: this is the zone with the most people. */
const BY_ABBREVIATION: ReadonlyMap<string, string> = new Map([
  ["bst", "Europe/London"],
  ["cest", "Europe/Berlin"],
  ["ist", "Asia/Kolkata"],
  ["jst", "Asia/Tokyo"],
  ["est", "America/New_York"],
  ["edt", "America/New_York"],
  ["cst", "America/Chicago"],
  ["cdt", "America/Chicago"],
  ["mst", "America/Denver"],
  ["mdt", "America/Denver"],
  ["pst", "America/Los_Angeles"],
  ["pdt", "America/Los_Angeles"],
]);

/** Returns the mistake for an unknown time zone, with the closest zone. */
export function noZone(zone: string): Mistake {
  const zones = Intl.supportedValuesOf("timeZone");
  const city = zones.find((one) => one.toLowerCase().endsWith(`/${zone.toLowerCase()}`));
  const guess =
    BY_ABBREVIATION.get(zone.toLowerCase()) ??
    city ??
    (zone.length > 3 ? didYouMean(zone, zones) : undefined);
  const help = guess === undefined ? "write one, as  Europe/Berlin" : `did you mean "${guess}"?`;
  return { code: "unknown-zone", message: `there is no time zone "${zone}"`, help };
}

/** Returns the mistake for an unreadable time range. */
export function notOpen(text: string): Mistake {
  const meant = openMeant(text);
  return {
    code: "invalid-value",
    message: "this is not a range of days and times",
    help:
      meant === undefined
        ? 'write days and times of 24 hours, as  "mon-fri 09:00-12:00, 13:00-17:30"  or  "fri 22:00-02:00"'
        : `write ${JSON.stringify(meant)}`,
  };
}

/** Returns the mistake for an unreadable date. */
export function notClosed(text: string): Mistake {
  const help = "write year, month and day, as  2026-12-24  or  2026-12-24..2027-01-01";
  const meant = closedMeant(text);
  return {
    code: "invalid-value",
    message: "this is not a date",
    help: meant === undefined ? help : `write ${meant}`,
  };
}
