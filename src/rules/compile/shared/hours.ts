import { checkValue } from "../../../config/check-value.ts";
import { didYouMean } from "../../../config/did-you-mean.ts";
import { NOT_CLOSED, NOT_OPEN, noZone } from "../../../config/hours-mistakes.ts";
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

function definedHours(document: YamlDocument, at: Path): Looked<OpeningHours> {
  const { value, problems } = checkValue(hoursMap, document, { at, within: " in these hours" });
  if (value === undefined) return { problems };
  const faults: Problem[] = [];
  const readAll = <T>(
    key: "open" | "closed",
    read: (text: string) => T | undefined,
    wrong: Mistake,
  ): readonly T[] =>
    value[key].flatMap((text, index) => {
      const one = read(text);
      if (one === undefined) faults.push(document.problemAt([...at, key, index], wrong));
      return one ?? [];
    });
  if (zoneFormat(value.zone) === undefined) {
    faults.push(document.problemAt([...at, "zone"], noZone(value.zone)));
  }
  const open = readAll("open", readOpen, NOT_OPEN).flat();
  const closed = readAll("closed", readClosed, NOT_CLOSED);
  if (faults.length > 0) return { problems: faults };
  return {
    value: { zone: value.zone, open, closed },
    dependency: { revision: contentHash(JSON.stringify(["hours", value])), files: [] },
  };
}
