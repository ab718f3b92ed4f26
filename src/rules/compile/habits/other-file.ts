import { meantWord } from "../../schema/other-words.ts";
import { otherRule } from "./other-rule.ts";
import { inlineYaml } from "./inline-yaml.ts";
import { isPlainMap } from "./plain-map.ts";

/** Maximum characters of a correction in an error message. A longer one is omitted: it would hide the message. */
const MAX_FORM = 400;
const NO_NAMES = { hasText: () => false, declared: [] } as const;
const ABOVE = "write above it  version: 1  and below that  rules:";

/**
 * Returns the correction of a key of a rule file. Undefined if renaming the key is enough, or no correction is known.
 */
export function fileKeyForm(key: string, value: unknown): string | undefined {
  if (/^(?:vars|variables|constants|settings|config|env)$/.test(key)) return inputsForm(value);
  const isOfRules = key === "rules" || key === "rule" || meantWord("file", key) === "rules";
  if (!isOfRules || !isPlainMap(value)) return undefined;
  const named = Object.entries(value);
  if (!isRule(value) && !named.every(([, rule]) => isPlainMap(rule) && isRule(rule)))
    return undefined;
  const written = isRule(value) ? [value] : named.map(([id, rule]) => Object.assign({ id }, rule));
  const list = written.map((rule) => otherRule(rule, NO_NAMES).asOwn());
  return shortForm(`rules: ${inlineYaml(list)}`);
}

/** Translates constants of a whole file, such as `vars: {shop: Acme}`, into inputs. */
function inputsForm(value: unknown): string | undefined {
  if (!isPlainMap(value)) return undefined;
  const entries = Object.entries(value).map(([name, one]) => {
    const type = typeof one;
    return [name, { type: type === "object" ? "list" : type, default: one }] as const;
  });
  const [[name] = [""]] = entries;
  const isPlain = entries.every(([, { type }]) => /^(?:string|number|boolean)$/.test(type));
  if (name === "" || !isPlain || /^(?:time_?zone|tz|zone)$/i.test(name)) return undefined;
  const form = shortForm(`inputs: ${inlineYaml(Object.fromEntries(entries))}`);
  return form && `${form}  and read  inputs.${name}`;
}

/**
 * Returns the valid form of a file that consists of only a rule, or only a list of rules.
 *
 * @param isTorn Whether parts of the file are not readable as YAML, so their values are unknown.
 */
export function fileForm(value: unknown, isTorn: boolean): string | undefined {
  if (Array.isArray(value))
    return value.every((one) => isPlainMap(one) && isRule(one)) ? ABOVE : undefined;
  const isAlone =
    isPlainMap(value) && value["rules"] === undefined && value["version"] === undefined;
  if (!isAlone || !isRule(value)) return undefined;
  const form = `version: 1  and below it  rules: ${inlineYaml([value])}`;
  return (
    (isTorn ? undefined : shortForm(form)) ??
    `${ABOVE}  and indent this rule below it, with "- " before its first key`
  );
}

/** Returns the key of the list of rules: `rules`, or another tool's word if `rules` is absent. */
export function rulesKey(value: unknown): string {
  if (!isPlainMap(value) || value["rules"] !== undefined) return "rules";
  const other = Object.keys(value).find(
    (key) => meantWord("file", key) === "rules" && Array.isArray(value[key]),
  );
  return other ?? "rules";
}

const RULE_KEYS =
  "actions triggers trigger on when steps action then do if conditions condition else".split(" ");

function isRule(value: Readonly<Record<string, unknown>>): boolean {
  return RULE_KEYS.filter((key) => value[key] !== undefined).length > 1;
}

function shortForm(form: string): string | undefined {
  return form.length > MAX_FORM ? undefined : `write  ${form}`;
}
