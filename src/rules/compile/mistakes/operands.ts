import type { Mistake } from "../../../config/problem.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { valueAt } from "../../../config/check-value.ts";
import type { FieldType } from "../../../events/fields.ts";
import type { CompiledCondition } from "../../evaluation/evaluation.ts";
import type { CompileContext } from "../compile-context.ts";
import type { OperatorTest } from "../matcher.ts";
import { contradiction, emptyRange, neverHolds, type WantedValues } from "./never-holds.ts";
import { patternElsewhere } from "./pattern-elsewhere.ts";

interface AskedField {
  readonly type: FieldType;
  readonly tests: readonly OperatorTest[];
}

/**
 * Warns about operands of the condition at `path` that no event can match, or that do not mean what they seem to mean.
 */
export function reportOperands(
  context: CompileContext,
  field: string,
  path: Path,
  { type, tests }: AskedField,
): void {
  const isMap = typeof valueAt(context.document.value, path) === "object";
  const at = (operator: string): Path => (isMap ? [...path, operator] : path);
  for (const test of tests) {
    const never = neverHolds(field, type === "list of texts", test);
    for (const { text, ...mistake } of never) context.report(at(test.operator), mistake, { text });
    if (never.length > 0) continue;
    const grouped = pointsIn(field, context.document.sourceAt(at(test.operator)));
    if (grouped !== undefined) context.report(at(test.operator), grouped);
    if (type !== "text" && type !== "list of texts") continue;
    const isListed = Array.isArray(valueAt(context.document.value, at(test.operator)));
    for (const { text, mistake } of mistakesIn(field, test, isListed)) {
      context.report(at(test.operator), mistake, { text });
    }
  }
  const range = type === "number" ? emptyRange(field, tests) : undefined;
  if (range !== undefined) context.report(path, range, "key");
}

/** Returns the warning about a count such as `10.000`, which is ten thousand in many countries, and ten in YAML. */
function pointsIn(field: string, source = ""): Mistake | undefined {
  if (!field.endsWith("_count") || !/^\d{1,3}\.\d{3}$/.test(source)) return undefined;
  return {
    code: "operand-type",
    severity: "warning",
    message: `YAML reads ${source} as ${Number(source)}`,
    help: `write ${source.replace(".", "")}, or ${Number(source)} if the point separates decimals`,
  };
}

function mistakesIn(
  field: string,
  { operator, written, cased }: OperatorTest,
  isListed: boolean,
): readonly { readonly text: string; readonly mistake: Mistake }[] {
  const texts = written.filter((one) => typeof one === "string");
  const pattern = patternElsewhere(field, operator, texts, isListed);
  if (pattern !== undefined || cased || operator === "matches") return pattern ? [pattern] : [];
  return texts.flatMap((text) => {
    const mistake = skinColour(text);
    return mistake === undefined ? [] : [{ text, mistake }];
  });
}

function skinColour(text: string): Mistake | undefined {
  if (!/\p{Extended_Pictographic}\p{Emoji_Modifier}/u.test(text)) return undefined;
  return {
    code: "any-skin-colour",
    severity: "warning",
    message: "comparisons ignore the skin tone of an emoji",
    help: `write  ${text.replaceAll(/\p{Emoji_Modifier}/gu, "")}  or, for this skin tone only, add  cased: true`,
  };
}

/** Warns about contradictory conditions in the list at `path`, of which all must hold. */
export function reportContradictions(
  context: CompileContext,
  path: Path,
  conditions: readonly (CompiledCondition | undefined)[],
): void {
  const earlier: WantedValues[] = [];
  for (const [index, condition] of conditions.entries()) {
    const fieldCondition = condition?.asks;
    if (fieldCondition?.kind !== "field" || fieldCondition.type === "list of texts") continue;
    const test = fieldCondition.tests.find(
      ({ operator }) => operator === "equals" || operator === "in",
    );
    if (test === undefined) continue;
    const wanted = { field: fieldCondition.field, values: test.operands };
    const mistake = contradiction(earlier, wanted);
    if (mistake !== undefined)
      context.report([...path, index, fieldCondition.field], mistake, "key");
    earlier.push(wanted);
  }
}
