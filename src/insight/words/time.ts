import { durationText } from "../../text/duration-text.ts";

/** `2026-11-22T07:00:00Z (8 h 12 min)`: the time until then is left out where `now` is not known, or later. */
export function timeInWords(at: number, now: number | undefined): string {
  const written = new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
  return now === undefined || at <= now ? written : `${written} (${durationText(at - now)})`;
}
