import { valueAt } from "../../../config/check-value.ts";
import type { Mistake } from "../../../config/problem.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { inlineEntries, inlineYaml } from "../habits/inline-yaml.ts";
import { isPlainMap } from "../habits/plain-map.ts";
import { ConditionReader } from "../habits/other-conditions.ts";
import { meantField } from "../habits/other-fields.ts";
import { sameShape } from "../habits/same-shape.ts";
import { OPERATORS } from "../../operators/operators.ts";
import type { CompileContext } from "../compile-context.ts";
import type { RuleScope } from "../../expression/scope.ts";

/**
 * Reports a condition in another tool's syntax, with its form in this language. Returns false if there is none, or if
 * only single words are wrong, such as the operator: later checks report these words.
 */
export function reportOtherCondition(context: CompileContext, path: Path): boolean {
  const { document, scope } = context;
  const value = valueAt(document.value, path);
  if (isPlainMap(value) && Object.values(value).includes(null)) return false;
  if (isPlainMap(value) && isOwnCondition(value, scope)) return false;
  const conditions = new ConditionReader({ typeOf: (one) => typeOf(scope, one) }).one(value);
  if (conditions === undefined) return false;
  const [only, second] = conditions;
  if (second === undefined && sameShape(value, only)) return false;
  const spot = document.problemAt(path, NO_MISTAKE);
  const isInline = spot.sourceLine?.[spot.column - 1] === "{";
  const singles = isPlainMap(value)
    ? Object.entries(value).map(([key, one]) => ({ [key]: one }))
    : [];
  if (second !== undefined && !isInline && sameShape(conditions, singles)) return false;
  const help =
    second !== undefined
      ? `write  ${isInline ? conditions.map(inlineYaml).join(", ") : `- ${conditions.map(inlineYaml).join("  and below it  - ")}`}`
      : `write  ${isPlainMap(only) && !isInline ? inlineEntries(only) : inlineYaml(only)}`;
  const [first = ""] = isPlainMap(value) ? Object.keys(value) : [];
  const isPattern = isPlainMap(value) && typeof value["if"] === "string";
  const mistake = isPattern
    ? { code: "expr-no-matches", message: "an expression can't look for a pattern", help }
    : { code: "wrong-type", message: "a condition is a field with a value or operators", help };
  context.report(first === "" ? path : [...path, first], mistake, first === "" ? "value" : "key");
  return true;
}

/** Returns whether a condition is certainly in this language, as most are. */
function isOwnCondition(map: Readonly<Record<string, unknown>>, scope: RuleScope): boolean {
  const [key, second] = Object.keys(map);
  if (key === undefined || second !== undefined) return false;
  const value = map[key];
  if (key === "if") return typeof value === "string" && !/=~|\.matches\(/.test(value);
  if (key === "any" || key === "all") return Array.isArray(value);
  if (typeOf(scope, key) === undefined) return false;
  if (typeof value === "string") return !/^\s*[<>/]/.test(value);
  return isPlainMap(value)
    ? Object.keys(value).every((one) => one === "cased" || Object.hasOwn(OPERATORS, one))
    : value !== undefined;
}

const NO_MISTAKE: Mistake = { code: "none", message: "" };

function typeOf(scope: RuleScope, path: string) {
  if (path === "now") return "time";
  return scope.fields.get(path)?.type ?? (isState(path) ? "text" : undefined);
}

function isState(path: string): boolean {
  return /^state\.(?:sender|conversation|account)\.\w+$/.test(path);
}

/** Returns a mistake about another tool's field name with the name of the intended field in its help. */
export function otherField(scope: RuleScope, name: string, mistake: Mistake): Mistake | undefined {
  if (mistake.help?.startsWith("did you mean") === true) return undefined;
  const isKnown = (path: string): boolean => scope.fields.has(path) || isState(path);
  const [, owner] = /^(.*)\.(?:length|size|len)$/.exec(name) ?? [];
  const whole = owner !== undefined && isKnown(`${owner}.text`) ? `${owner}.text` : owner;
  if (whole !== undefined && isKnown(whole))
    return { ...mistake, help: `write  if: ${whole}.size() > 10` };
  const meant = meantField(name, isKnown, "username");
  return meant === undefined ? undefined : { ...mistake, help: `did you mean "${meant}"?` };
}
