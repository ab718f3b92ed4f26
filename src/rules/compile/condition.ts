import { checkValue, valueAt } from "../../config/check-value.ts";
import type { Mistake, Problem } from "../../config/problem.ts";
import type { Part, Path } from "../../config/yaml-document.ts";
import type { CompiledCondition } from "../evaluation/evaluation.ts";
import { AllOf, AnyOf, FieldClause, Holds, Not } from "./conditions/clauses.ts";
import type { CompileContext } from "./compile-context.ts";
import type { FieldType } from "../../events/fields.ts";
import { isHandleField, type RuleField } from "../schema/fields.ts";
import { meantWord } from "../schema/other-words.ts";
import { reservedWord } from "../schema/reserved-words.ts";
import { compileMatcher, type OperatorFault } from "./matcher.ts";
import { wantsHandle } from "./mistakes/handle-in-front.ts";
import { reportContradictions, reportOperands } from "./mistakes/operands.ts";
import { otherField, reportOtherCondition } from "./mistakes/condition-habits.ts";
import { matcherHabit } from "./habits/matcher-habits.ts";
import { ANSWER, answerHabit, formatAsAnswer } from "./habits/steps/answer-habits.ts";
import { OPERATORS } from "../operators/operators.ts";
import { matcher, type MatcherMap } from "../file-schema/rule-file.ts";
import { present } from "../../system/present.ts";
import { CEL_TYPES, lookUpField } from "../expression/scope.ts";
import { namesFor, reportWholeText } from "./shared/names-in-conditions.ts";
import { stateField } from "./conditions/state-field.ts";
import { ownMember } from "../../system/own-member.ts";

/** Compiles the list of conditions at `path`, of which all must hold. Problems go to the context. */
export function compileConditions(
  context: CompileContext,
  path: Path,
): readonly CompiledCondition[] {
  const list = valueAt(context.document.value, path);
  if (!Array.isArray(list)) {
    context.report(path, {
      code: "wrong-type",
      message: "conditions are a list",
      help: 'start each with "- "',
    });
    return [];
  }
  const compiled = list.map((_, index) => compileCondition(context, [...path, index]));
  const within = path.at(-1);
  if (within !== "any" && within !== "not") reportContradictions(context, path, compiled);
  return present(compiled);
}

function compileCondition(context: CompileContext, path: Path): CompiledCondition | undefined {
  const value = valueAt(context.document.value, path);
  if (reportOtherCondition(context, path)) return undefined;
  const keys =
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const [key, second] = keys;
  if (key === undefined) {
    const help = "write  - message.text: {contains_word: hello}  or  - if: EXPRESSION";
    return context.report(path, {
      code: "wrong-type",
      message: "a condition is a field with a value or operators",
      help,
    });
  }
  if (second !== undefined) {
    const isOperator = valueAt(value, [key]) === null && second in OPERATORS;
    const help = isOperator
      ? `indent it by two more columns: it belongs under "${key}"`
      : `start it with "- ", as a condition of its own`;
    const message = `"${second}" is a second condition in one list item`;
    return context.report([...path, second], { code: "two-conditions", message, help }, "key");
  }
  const inner = [...path, key];
  if (key === "any" || key === "all") return combined(key, context, inner);
  if (key === "not") return negated(context, inner);
  if (key === "if") return expressionClause(context, inner);
  return compileField(context, key, inner);
}

function combined(
  kind: "any" | "all",
  context: CompileContext,
  path: Path,
): CompiledCondition | undefined {
  if (isEmpty(context, path)) return context.report(path, nothingAsked(kind));
  const clauses = compileConditions(context, path);
  if (clauses.length === 0) return undefined;
  const where = context.label(path);
  return kind === "all" ? new AllOf(where, clauses) : new AnyOf(where, clauses);
}

function isEmpty(context: CompileContext, path: Path): boolean {
  const value = valueAt(context.document.value, path);
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Returns the mistake of an empty condition, which would hold for every event. */
function nothingAsked(kind: string): Mistake {
  return {
    code: "empty-condition",
    message: `"${kind}" has no condition in it`,
    help: `write  ${kind}: [{message.text: {contains_word: hello}}]  or remove it`,
  };
}

function negated(context: CompileContext, path: Path): CompiledCondition | undefined {
  if (isEmpty(context, path)) return context.report(path, nothingAsked("not"));
  const value = valueAt(context.document.value, path);
  if (Array.isArray(value) && value.length > 1) context.report(path, NONE_OF_THEM, "key");
  const inner = Array.isArray(value)
    ? combined("any", context, path)
    : compileCondition(context, path);
  return inner && new Not(context.label(path), inner);
}

/** Warning about `not` with a list, which means "none of them". In earlier versions it meant "not all of them". */
const NONE_OF_THEM: Mistake = {
  code: "not-list",
  severity: "warning",
  message:
    '"not" with several conditions holds if none of them holds; in earlier versions it held if any of them did not',
  help: "write  not: {any: […]}  for none of them, or  not: {all: […]}  for not all of them",
};

function expressionClause(context: CompileContext, path: Path): CompiledCondition | undefined {
  const compiled = context.condition(path);
  return compiled && new Holds(context.label(path), compiled);
}

/** Returns whether a condition on state only has `exists`, so that the type of the state does not matter. */
function onlyAsksWhether(context: CompileContext, path: Path): boolean {
  const writtenMatcher = valueAt(context.document.value, path);
  const keys =
    typeof writtenMatcher === "object" && writtenMatcher !== null
      ? Object.keys(writtenMatcher)
      : [];
  return keys.length === 1 && keys[0] === "exists";
}

/** Compiles the condition on the field `name`, whose value is at `path`. */
export function compileField(
  context: CompileContext,
  name: string,
  path: Path,
): CompiledCondition | undefined {
  const looked = name.startsWith("state.")
    ? stateField(name, valueAt(context.document.value, path), context.scope)
    : lookUpField(context.scope, name);
  if ("mistake" in looked) {
    const meant = otherField(context.scope, name, looked.mistake);
    if (meant !== undefined) return context.report(path, meant, "key");
    const part: Part = {
      text: name,
      offset: name.lastIndexOf(looked.part),
      length: looked.part.length,
    };
    context.add(keyProblem(context, path, looked.mistake, part));
    return undefined;
  }
  if (looked.field.use?.kind === "value" && !onlyAsksWhether(context, path)) {
    context.notesState(name, CEL_TYPES[looked.field.type], "reads", path);
  }
  const map = matcherAt(context, { name, path }, looked.field);
  if (!map) return undefined;
  const { tests, faults } = compileMatcher(looked.field.type, map, {
    ...namesFor(context),
    isHandle: isHandleField(name),
  });
  for (const problem of faults.flatMap((fault) => operatorProblems(context, path, fault))) {
    context.add(problem);
  }
  if (faults.length > 0) return undefined;
  reportWholeText(context, name, path, tests);
  const handle = wantsHandle(name, context.scope.triggers, tests);
  if (handle !== undefined) context.report(path, handle, "value");
  reportOperands(context, path.at(-1) === ANSWER ? ANSWER : name, path, {
    type: looked.field.type,
    tests,
  });
  if (tests.length === 0) return context.report(path, emptyMatcher(name, looked.field.type));
  const { field } = looked;
  if (field.use !== undefined) context.uses(field.use);
  return new FieldClause({ name, path: context.label(path) }, field, tests);
}

function emptyMatcher(name: string, type: FieldType): Mistake {
  const example = Object.entries(EXAMPLES).find(([one]) => one === type)?.[1] ?? "exists: true";
  return {
    code: "empty-condition",
    message: `no operator is under "${name}"`,
    help: `write  ${name}: {${example}}  or remove it`,
  };
}

const EXAMPLES: Readonly<Partial<Record<FieldType, string>>> = {
  text: "contains_word: hello",
  "list of texts": "contains: hello",
  number: "gt: 100",
  boolean: "equals: true",
  time: "older_than: 7d",
};

function keyProblem(context: CompileContext, path: Path, mistake: Mistake, part: Part): Problem {
  const whole = context.document.problemAt(path, mistake, "key");
  if (typeof part !== "object" || part.length === undefined) return whole;
  return { ...whole, column: whole.column + (part.offset ?? 0), length: part.length };
}

function operatorProblems(
  { document }: CompileContext,
  path: Path,
  fault: OperatorFault,
): readonly Problem[] {
  if ("problems" in fault) return fault.problems;
  const at = [...path, fault.name];
  if (fault.part) return [document.problemAt(at, fault.mistake, fault.part)];
  const isMap = typeof valueAt(document.value, path) === "object";
  return [document.problemAt(isMap ? at : path, fault.mistake, isMap ? "key" : "value")];
}

/** Returns the operators at `path`. A bare value means that the field must equal it. */
function matcherAt(
  context: CompileContext,
  { name, path }: { readonly name: string; readonly path: Path },
  field: RuleField,
): MatcherMap | undefined {
  const written = valueAt(context.document.value, path);
  const isAnswer = path.at(-1) === ANSWER;
  const habit = isAnswer
    ? answerHabit(written, valueAt(context.document.value, [...path.slice(0, -2), "id"]))
    : matcherHabit(name, field.type, written);
  const format = isAnswer ? formatAsAnswer(written) : undefined;
  if (format) context.report(path, format, "value");
  if (habit) {
    const { key, mistake } = habit;
    return key === undefined
      ? context.report(path, mistake, "value")
      : context.report([...path, key], mistake, mistake.code === "unknown-key" ? "key" : "value");
  }
  const { value, problems } = checkValue(matcher, context.document, {
    at: path,
    within: " among the operators",
    reserved: (key) => reservedWord("operator", key),
    meant: (key) => meantWord("operator", key),
  });
  for (const problem of problems) context.add(problem);
  if (value === undefined) return undefined;
  const map: MatcherMap = typeof value === "object" ? value : { equals: value };
  const isBare = typeof value !== "object";
  const templated = Object.entries(map).find(([, one]) =>
    (JSON.stringify(one) ?? "").includes("${{"),
  );
  if (templated) {
    const help = "compare with an expression:  - if: FIELD == …";
    const message = "${{ }} is not supported in matchers";
    return context.report(isBare ? path : [...path, templated[0]], {
      code: "no-expression-here",
      message,
      help,
    });
  }
  return field.type === "text" ? asWritten(context, path, map, isBare) : map;
}

/** For a text field, replaces numbers by their source text: `equals: 0123` means the four characters. */
function asWritten(
  context: CompileContext,
  path: Path,
  map: MatcherMap,
  isBare: boolean,
): MatcherMap {
  const source = (at: Path, value: unknown) =>
    typeof value === "string" ? value : (context.document.sourceAt(at) ?? String(value));
  const copy: Record<string, unknown> = {};
  for (const [name, operand] of Object.entries(map)) {
    if (ownMember(OPERATORS, name)?.asWritten !== true || operand === undefined) continue;
    const at = isBare ? path : [...path, name];
    copy[name] = Array.isArray(operand)
      ? operand.map((one, index) => source([...at, index], one))
      : source(at, operand);
  }
  return { ...map, ...copy };
}
