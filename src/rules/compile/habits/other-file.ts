import { inlineYaml, isPlainMap } from "./inline-yaml.ts";

/** A longer form helps nobody to see what is wrong. */
const MAX_FORM = 400;
const RULES = /^(?:rules?|automations?|handlers|stories|story|intents?|flows?|jobs|workflows?|dialogs?|bots?|commands|triggers)$/;

/** What to write in place of a key of a rule file; undefined, where another word for it is enough, or nothing is known. */
export function fileKeyForm(key: string, value: unknown): string | undefined {
  if (!RULES.test(key) || !isPlainMap(value)) return undefined;
  const isOne = value["triggers"] !== undefined || value["actions"] !== undefined;
  const named = Object.entries(value);
  if (!isOne && !named.every(([, rule]) => isPlainMap(rule))) return undefined;
  const list = isOne ? [value] : named.map(([id, rule]) => Object.assign({ id }, rule));
  return shortForm(`rules: ${inlineYaml(list)}`);
}

/** What to write in place of a rule that stands where a file does. */
export function fileOfRule(value: unknown): string | undefined {
  if (!isPlainMap(value) || value["rules"] !== undefined) return undefined;
  if (value["triggers"] === undefined || value["actions"] === undefined) return undefined;
  return shortForm(`rules: ${inlineYaml([value])}`);
}

function shortForm(form: string): string | undefined {
  return form.length > MAX_FORM ? undefined : `write  ${form}`;
}
