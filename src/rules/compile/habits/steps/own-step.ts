import { asText } from "../../../../text/as-text.ts";
import { STATE_PATH } from "../../../expression/state-names.ts";
import { STEPS } from "../../../steps/steps.ts";
import { isPlainMap, type WrittenMap } from "../plain-map.ts";
import { hasOwnKeys } from "./other-verbs.ts";
import { FRAME } from "./step-frame.ts";
import type { StepSurroundings } from "./step-surroundings.ts";

/** Verbs of this language whose value needs no translation if it is a plain text. */
const OF_TEXT: ReadonlySet<string> = new Set(
  "reply reply_dm reply_post create_post quote log delay delay_until stop".split(" "),
);
/** Verbs of this language whose value needs no translation if it is a map. */
const OF_MAP: ReadonlySet<string> = new Set(
  "http call escalate label log report_conversion parallel".split(" "),
);
const TEXT_KEYS: ReadonlySet<string> = new Set(
  "say lang media poll long third_parties reply_settings".split(" "),
);

/** Returns whether a step is certainly in this language, as most are. Such a step is not translated. */
export function isPlainlyOwn(map: WrittenMap, { conditions }: StepSurroundings): boolean {
  const { if: test } = map;
  if (test !== undefined && (typeof test !== "string" || conditions.expression(test) !== test)) {
    return false;
  }
  const keys = Object.keys(map).filter((key) => !FRAME.has(key));
  // this call checks only the keys of the branch; the steps in its lists are checked one by one
  const isBranch = keys.every((key) => /^(?:then|else|else_if)$/.test(key));
  if (isBranch) return test !== undefined && keys.every((key) => Array.isArray(map[key]));
  const [verb = "", second] = keys;
  if (second !== undefined || !Object.hasOwn(STEPS, verb)) return false;
  const value = map[verb];
  if (typeof value === "string") {
    return OF_TEXT.has(verb) || (verb === "increment" && STATE_PATH.test(value));
  }
  if (!isPlainMap(value)) return false;
  if (OF_MAP.has(verb)) return hasOwnKeys(verb, value);
  const entries = Object.entries(value);
  if (verb === "set" || verb === "increment") {
    return entries.every(([key]) => key === "for" || STATE_PATH.test(key));
  }
  if (verb === "count")
    return value["window"] !== undefined && !asText(value["name"]).includes("${{");
  return (
    OF_TEXT.has(verb) &&
    entries.every(
      ([key, one]) =>
        TEXT_KEYS.has(key) ||
        (key === "text" && typeof one === "string") ||
        (key === "options" && Array.isArray(one)),
    )
  );
}

export function isOwnStep(item: unknown): boolean {
  if (typeof item === "string")
    return Object.hasOwn(STEPS, item) && STEPS[item]?.bare !== undefined;
  return (
    isPlainMap(item) && Object.keys(item).some((key) => Object.hasOwn(STEPS, key) || key === "if")
  );
}
