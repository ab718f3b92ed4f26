import { asText } from "../../../text/as-text.ts";
import { checkValue, valueAt } from "../../../config/check-value.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import { noZone, notClosed, notOpen } from "../../../config/hours/hours-mistakes.ts";
import type { Mistake, Problem } from "../../../config/problem.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import { contentHash } from "../../../system/content-hash.ts";
import { zoneFormat } from "../../../hours/local-time.ts";
import type { OpeningHours } from "../../../hours/opening-hours.ts";
import { readClosed, readOpen } from "../../../hours/read-hours.ts";
import { hoursMap } from "../../file-schema/shared-keys.ts";
import type { Looked } from "./dependency.ts";
import { definitions, type Definitions } from "./definitions.ts";

/** Creates the lookup of the opening hours that a rule file defines. */
export function hoursOf(document: YamlDocument): Definitions<OpeningHours> {
  return definitions(document, "hours", {
    compile: (at) => definedHours(document, at),
    unknown: (name, names) => {
      const guess = didYouMean(name, names);
      const help =
        guess === undefined
          ? `add to the file:  hours: {${name}: {zone: Europe/Berlin, open: ["mon-fri 09:00-17:30"]}}`
          : `did you mean "${guess}"?`;
      return { code: "unknown-hours", message: `there are no hours "${name}"`, help };
    },
  });
}

const ZONE_WORDS: ReadonlySet<string> = new Set(["timezone", "time_zone", "tz"]);

/** Returns the mistake of a map such as `{mon: 09:00-17:00}` in place of the list of hours. */
function hoursByDay(open: unknown): Mistake | undefined {
  if (typeof open !== "object" || open === null || Array.isArray(open)) return undefined;
  const stretches = Object.entries(open).map(([day, times]) => `${day} ${asText(times)}`);
  if (stretches.some((one) => readOpen(one) === undefined)) return undefined;
  const help = `write a list:  [${stretches.map((one) => JSON.stringify(one)).join(", ")}]`;
  return { code: "wrong-type", message: "opening hours are a list", help };
}

/** Returns the mistake of days beside the zone, as in `{zone: UTC, mon-fri: 09:00-17:00}`, and the first of these keys. */
function daysAsKeys(
  hours: unknown,
): { readonly key: string; readonly mistake: Mistake } | undefined {
  if (typeof hours !== "object" || hours === null || "open" in hours) return undefined;
  const days = Object.entries(hours).flatMap(([key, times]) => {
    const listed: unknown[] = Array.isArray(times) ? times : [times];
    const text = `${key} ${listed.map(asText).join(", ")}`;
    return readOpen(text) === undefined ? [] : [{ key, text }];
  });
  const [first] = days;
  if (first === undefined) return undefined;
  const help = `write  open: [${days.map(({ text }) => JSON.stringify(text)).join(", ")}]`;
  const message = `unknown key "${first.key}" in these hours: days are listed under "open"`;
  return { key: first.key, mistake: { code: "unknown-key", message, help } };
}

function definedHours(document: YamlDocument, at: Path): Looked<OpeningHours> {
  const meant = (key: string): string | undefined => (ZONE_WORDS.has(key) ? "zone" : undefined);
  const byDay = hoursByDay(valueAt(document.value, [...at, "open"]));
  if (byDay !== undefined) return { problems: [document.problemAt([...at, "open"], byDay)] };
  const days = daysAsKeys(valueAt(document.value, at));
  if (days !== undefined) {
    return { problems: [document.problemAt([...at, days.key], days.mistake, "key")] };
  }
  const { value, problems } = checkValue(hoursMap, document, {
    at,
    within: " in these hours",
    meant,
  });
  if (value === undefined) return { problems };
  const faults: Problem[] = [];
  const readAll = <T>(
    key: "open" | "closed",
    read: (text: string) => T | undefined,
    wrong: (text: string) => Mistake,
  ): readonly T[] =>
    value[key].flatMap((text, index) => {
      const one = read(text);
      if (one === undefined) faults.push(document.problemAt([...at, key, index], wrong(text)));
      return one ?? [];
    });
  if (zoneFormat(value.zone) === undefined) {
    faults.push(document.problemAt([...at, "zone"], noZone(value.zone)));
  }
  const open = readAll("open", readOpen, notOpen).flat();
  const closed = readAll("closed", readClosed, notClosed);
  if (faults.length > 0) return { problems: faults };
  return {
    value: { zone: value.zone, open, closed },
    dependency: { revision: contentHash(JSON.stringify(["hours", value])), files: [] },
  };
}
