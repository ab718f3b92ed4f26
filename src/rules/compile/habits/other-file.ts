import { meantWord } from "../../schema/other-words.ts";
import { otherRule } from "./other-rule.ts";
import { inlineYaml, isPlainMap } from "./inline-yaml.ts";

/** Maximum characters of a correction in an error message. A longer one is omitted: it would hide the message. */
const MAX_FORM = 400;
const NO_NAMES = { hasText: () => false, declared: [] };
const ABOVE = "write above it  version: 1  and below that  rules:";

/**
 * Returns the correction of a key of a rule file. Undefined if renaming the key is enough, or no correction is known.
 */
export function fileKeyForm(key: string, value: unknown): string | undefined {
  const isOfRules = key === "rules" || key === "rule" || meantWord("file", key) === "rules";
  if (!isOfRules || !isPlainMap(value)) return undefined;
  const named = Object.entries(value);
  if (!isRule(value) && !named.every(([, rule]) => isPlainMap(rule) && isRule(rule)))
    return undefined;
  const written = isRule(value) ? [value] : named.map(([id, rule]) => Object.assign({ id }, rule));
  const list = written.map((rule) => otherRule(rule, NO_NAMES).asOwn());
  return shortForm(`rules: ${inlineYaml(list)}`);
}

/** Returns the valid form of a file that consists of only a rule, or only a list of rules. */
export function fileForm(value: unknown): string | undefined {
  if (Array.isArray(value))
    return value.every((one) => isPlainMap(one) && isRule(one)) ? ABOVE : undefined;
  const isAlone =
    isPlainMap(value) && value["rules"] === undefined && value["version"] === undefined;
  return isAlone && isRule(value)
    ? shortForm(`version: 1  and below it  rules: ${inlineYaml([value])}`)
    : undefined;
}

/** Returns the key of the list of rules: `rules`, or another tool's word if `rules` is absent. */
export function rulesKey(value: unknown): string {
  if (!isPlainMap(value) || value["rules"] !== undefined) return "rules";
  const other = Object.keys(value).find(
    (key) => meantWord("file", key) === "rules" && Array.isArray(value[key]),
  );
  return other ?? "rules";
}

const RULE_KEYS = ["actions", "triggers", "trigger", "on", "when", "steps", "action", "then", "do"];

function isRule(value: Readonly<Record<string, unknown>>): boolean {
  return RULE_KEYS.filter((key) => value[key] !== undefined).length > 1;
}

function shortForm(form: string): string | undefined {
  return form.length > MAX_FORM ? undefined : `write  ${form}`;
}
