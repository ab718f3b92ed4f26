import { valueAt } from "../../../config/check-value.ts";
import { knownKeys } from "../../../config/known-keys.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { inlineEntries, inlineYaml } from "../habits/inline-yaml.ts";
import { isPlainMap } from "../habits/plain-map.ts";
import { namesOfFile, otherRule } from "../habits/other-rule.ts";
import { stepsOf } from "../habits/steps/other-steps.ts";
import { omittedKeys } from "../habits/steps/other-texts.ts";
import { isSame, sameShape } from "../habits/same-shape.ts";
import { meantWord } from "../../schema/other-words.ts";
import { stepMap } from "../../file-schema/rule-file.ts";
import type { CompileContext } from "../compile-context.ts";

/** Maximum characters of a correction in an error message. A longer one is omitted: the schema reports the step. */
const MAX_FORM = 300;

/**
 * Reports a step in another tool's syntax, with its form in this language. Returns whether it reported one: if only the
 * verb differs, the schema reports the step.
 */
export function reportOtherStep(context: CompileContext, path: Path, item: unknown): boolean {
  const { document, shared, base } = context;
  const rule = otherRule(valueAt(document.value, base), namesOfFile(shared));
  const steps = stepsOf(item, rule.surroundings);
  if (steps === undefined || (steps.length === 1 && hasOnlyOtherWord(item, steps[0]))) return false;
  const form = steps.map(inlineYaml).join(", ");
  if (form.length > MAX_FORM) return false;
  const unknown = isPlainMap(item)
    ? Object.keys(item).find((key) => !(key in stepMap.shape))
    : undefined;
  const help = formOf(document.problemAt(path, NO_MISTAKE).sourceLine, context, path, steps);
  if (unknown !== undefined) {
    const [omitted] = omittedKeys(item);
    const loss =
      omitted === undefined ? "" : `, and "${omitted}" has no counterpart: ${why(omitted)}`;
    const message = `unknown key "${unknown}" in a step${loss}`;
    context.report([...path, unknown], { code: "unknown-key", message, help }, "key");
  } else if (unknownInside(item, steps[0]) !== undefined) {
    const { verb, key } = unknownInside(item, steps[0]) ?? { verb: "", key: "" };
    const message = `unknown key "${key}" in "${verb}"`;
    context.report(path, { code: "unknown-key", message, help });
  } else {
    const [omitted] = omittedKeys(item);
    const message =
      omitted === undefined
        ? "a step has another form here"
        : `"${omitted}" has no counterpart here: ${why(omitted)}`;
    context.report(path, { code: "wrong-type", message, help });
  }
  return true;
}

/** Returns a key of a verb's map that is unknown and absent from the proposed form. */
function unknownInside(
  item: unknown,
  form: unknown,
): { readonly verb: string; readonly key: string } | undefined {
  if (!isPlainMap(item) || !isPlainMap(form)) return undefined;
  for (const [verb, value] of Object.entries(item)) {
    const own = form[verb];
    if (!isPlainMap(value) || !isPlainMap(own)) continue;
    const allowedKeys = knownKeys(stepMap, [verb]);
    const key = Object.keys(value).find(
      (one) => !Object.hasOwn(own, one) && !allowedKeys.includes(one),
    );
    if (key !== undefined) return { verb, key };
  }
  return undefined;
}

/** Returns why a key of another tool's text is omitted. */
function why(key: string): string {
  if (/^(?:buttons|quick_replies|keyboard|reply_markup)$/.test(key))
    return "name the choices in the text, or ask with  expect: {in: […]}";
  if (/^(?:title|parse_mode)$/.test(key)) return "a text is sent without a title and markup";
  return "an answer goes to the person of the event; to inform your team, use  escalate";
}

/** Returns whether a step differs only in the word for its verb. The schema reports such a step. */
function hasOnlyOtherWord(item: unknown, step: unknown): boolean {
  if (!isPlainMap(item) || !isPlainMap(step)) return false;
  const other = Object.entries(item).filter(([key]) => !Object.hasOwn(step, key));
  if (other.length !== 1 || !sameShape(item, step)) return false;
  return (
    meantWord("step", other[0]?.[0] ?? "") !== undefined &&
    isSame(Object.values(item), Object.values(step))
  );
}

const NO_MISTAKE = { code: "none", message: "" };

/**
 * Returns the help with the steps that replace a step: inline in braces, or as list items below each other.
 */
function formOf(
  sourceLine: string | undefined,
  { document }: CompileContext,
  path: Path,
  steps: readonly unknown[],
): string {
  const [only, second] = steps;
  const { column } = document.problemAt(path, NO_MISTAKE);
  if (second !== undefined) {
    const isInline = sourceLine?.[column - 1] === "{";
    return isInline
      ? `write  ${steps.map(inlineYaml).join(", ")}`
      : `write  - ${steps.map(inlineYaml).join("  and below it  - ")}`;
  }
  const isOneKey = isPlainMap(only) && Object.keys(only).length === 1;
  const [[word, own] = [], ...others] = isPlainMap(only) ? Object.entries(only) : [];
  // a verb without a value is an item of the list on its own
  if (word !== undefined && own === true && others.length === 0) return `write  - ${word}`;
  return isOneKey ? `write  ${inlineEntries(only)}` : `write  ${inlineYaml(only)}`;
}
