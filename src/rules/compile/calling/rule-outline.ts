import { valueAt } from "../../../config/check-value.ts";
import type { RuleFileUnit } from "../shared/uses.ts";
import { idIn } from "../../rule-file-source.ts";

/** Ids of the rules in a file and of the rules that its steps call. Holds no reference to the parsed file. */
export interface RuleOutline extends Pick<RuleFileUnit, "source" | "place" | "note" | "circles"> {
  /** Full ids of the rules, with the prefix from `use`, such as `spring.code`; `undefined` for a rule without an id. */
  readonly ids: readonly (string | undefined)[];
  /** Indexes of the file's rules that have no triggers. */
  readonly untriggered: ReadonlySet<number>;
  /** Ids of the rules that the file's steps call, as written in this file. */
  readonly runs: readonly string[];
}

export function outlineOf({ document, source, place, note, circles }: OutlinedFile): RuleOutline {
  const list = valueAt(document.value, ["rules"]);
  const rules: readonly unknown[] = Array.isArray(list) ? list : [];
  const ids = rules.map((rule) => {
    const id = valueAt(rule, ["id"]);
    return typeof id === "string" ? idIn(source, id) : undefined;
  });
  const untriggered = new Set(
    [...rules.keys()].filter((index) => valueAt(rules[index], ["triggers"]) === undefined),
  );
  const runs = /\brun\b/.test(document.text) ? [...new Set(runsIn(document.value))] : [];
  return { source, place, note, circles, ids, untriggered, runs };
}

type OutlinedFile = Pick<RuleFileUnit, "document" | "source" | "place" | "note" | "circles">;

/** Returns the ids of the rules that steps call, as written. */
function runsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const run = valueAt(value, ["run"]);
  const inside = Object.values(value).flatMap(runsIn);
  return typeof run === "string" ? [run, ...inside] : inside;
}
