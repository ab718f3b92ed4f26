import { checkValue, valueAt } from "../../config/check-value.ts";
import type { Mistake, Problem } from "../../config/problem.ts";
import type { Part, Path } from "../../config/yaml-document.ts";
import type { Asked } from "../decide/asked.ts";
import type {
  CompiledCondition,
  ConditionCaptures,
  Evaluation,
  Failure,
} from "../decide/evaluation.ts";
import { isoTime } from "../decide/view.ts";
import type { CompileContext } from "./compile-context.ts";
import type { FieldType, FieldValue } from "../../events/fields.ts";
import type { RuleField } from "../schema/fields.ts";
import { meantWord } from "../schema/other-words.ts";
import { reservedWord } from "../schema/reserved-words.ts";
import { capturesOfAll, capturesOfAny } from "./expressions/captures.ts";
import { compileMatcher, type OperatorFault, type OperatorTest } from "./matcher.ts";
import { OPERATORS } from "../operators/operators.ts";
import { matcher, type MatcherMap } from "../schema/rule-file.ts";
import { lookUpField } from "./scope.ts";
import { namesFor, reportWholeText } from "./shared/names-in-conditions.ts";
import { stateField } from "./state/state-field.ts";

/** Compiles the list at `path`: all of it must hold. Problems go to the context. */
export function compileConditions(context: CompileContext, path: Path): CompiledCondition[] {
  const list = valueAt(context.document.value, path);
  if (!Array.isArray(list)) {
    context.report(path, {
      code: "wrong-type",
      message: "conditions are a list",
      help: 'start each with "- "',
    });
    return [];
  }
  return list.flatMap((_, index) => compileCondition(context, [...path, index]) ?? []);
}

function compileCondition(context: CompileContext, path: Path): CompiledCondition | undefined {
  const value = valueAt(context.document.value, path);
  const keys =
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const [key, second] = keys;
  if (key === undefined) {
    const help = "write  - message.text: {contains_word: hello}  or  - if: EXPRESSION";
    return context.report(path, {
      code: "wrong-type",
      message: "a condition is a field with what is asked of it",
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
  const where = context.label(path);
  const wanted = `${kind} of: ${clauses.map((clause) => clause.wanted).join("; ")}`;
  if (clauses.length === 0) return undefined;
  const asks: Asked = { kind, of: clauses.map((clause) => clause.asks) };
  if (kind === "all") return allOf(clauses, { path: where, wanted, asks });
  return {
    path: where,
    wanted,
    asks,
    ...capturesOfAny(clauses),
    test(evaluation, trigger) {
      let first: Failure | undefined;
      let broken: Failure | undefined;
      for (const clause of clauses) {
        const failure = clause.test(evaluation, trigger);
        if (!failure) return undefined;
        first ??= failure;
        if (failure.error !== undefined) broken ??= failure;
      }
      return broken ?? { path: where, wanted, actual: first?.actual };
    },
  };
}

function isEmpty(context: CompileContext, path: Path): boolean {
  const value = valueAt(context.document.value, path);
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Left out, it would hold for every event, which is never what was meant. */
function nothingAsked(kind: string): Mistake {
  return {
    code: "empty-condition",
    message: `"${kind}" has no condition in it`,
    help: `write  ${kind}: [{message.text: {contains_word: hello}}]  or remove it`,
  };
}

/** Holds when every clause does; gives the first that doesn't. */
function allOf(
  clauses: readonly CompiledCondition[],
  described: Omit<CompiledCondition, "test">,
): CompiledCondition {
  return {
    ...described,
    ...capturesOfAll(clauses),
    test(evaluation, trigger) {
      for (const clause of clauses) {
        const failure = clause.test(evaluation, trigger);
        if (failure) return failure;
      }
      return undefined;
    },
  };
}

function negated(context: CompileContext, path: Path): CompiledCondition | undefined {
  if (isEmpty(context, path)) return context.report(path, nothingAsked("not"));
  const value = valueAt(context.document.value, path);
  const inner = Array.isArray(value)
    ? combined("all", context, path)
    : compileCondition(context, path);
  if (!inner) return undefined;
  const where = context.label(path);
  const wanted = `not: ${inner.wanted}`;
  return {
    path: where,
    wanted,
    asks: { kind: "not", of: inner.asks },
    test(evaluation, trigger) {
      const failure = inner.test(evaluation, trigger);
      if (failure) return failure.error === undefined ? undefined : failure;
      return { path: where, wanted, actual: inner.wanted };
    },
  };
}

function expressionClause(context: CompileContext, path: Path): CompiledCondition | undefined {
  const compiled = context.condition(path);
  if (!compiled) return undefined;
  const where = context.label(path);
  const wanted = compiled.source;
  return {
    path: where,
    wanted,
    asks: { kind: "expression", source: compiled.source, ast: compiled.ast },
    test(evaluation, trigger) {
      const outcome = compiled.evaluate(evaluation.view(trigger));
      if (!outcome.ok) return { path: where, wanted, error: outcome.error };
      return outcome.value === true ? undefined : { path: where, wanted, actual: false };
    },
  };
}

/** Compiles what is asked of the field called `name`; `path` is where it stands. */
export function compileField(
  context: CompileContext,
  name: string,
  path: Path,
): CompiledCondition | undefined {
  const looked = name.startsWith("state.")
    ? stateField(name, valueAt(context.document.value, path), context.scope)
    : lookUpField(context.scope, name);
  if ("mistake" in looked) {
    const part: Part = {
      text: name,
      offset: name.lastIndexOf(looked.part),
      length: looked.part.length,
    };
    context.add(keyProblem(context, path, looked.mistake, part));
    return undefined;
  }
  const map = matcherAt(context, path, looked.field);
  if (!map) return undefined;
  const { tests, faults } = compileMatcher(looked.field.type, map, namesFor(context));
  for (const problem of faults.flatMap((fault) => operatorProblems(context, path, fault))) {
    context.add(problem);
  }
  if (faults.length > 0) return undefined;
  reportWholeText(context, name, path, tests);
  if (tests.length === 0) return context.report(path, emptyMatcher(name, looked.field.type));
  const where = context.label(path);
  const { field } = looked;
  const { use } = field;
  if (use !== undefined) context.uses(use);
  const wanted = `${name} ${tests.map((test) => test.wanted).join(", ")}`;
  const asks: Asked = {
    kind: "field",
    field: name,
    type: field.type,
    tests: tests.map((one) => one.asked),
  };
  return {
    path: where,
    wanted,
    asks,
    ...fieldCaptures(field, tests),
    test(evaluation) {
      const value = valueOf(field, evaluation);
      if (tests.every((one) => one.test(value, evaluation))) return undefined;
      return { path: where, wanted, actual: field.isNow ? isoTime(evaluation.now) : value };
    },
  };
}

function valueOf(field: RuleField, evaluation: Evaluation): FieldValue {
  if (field.isNow) return evaluation.now;
  return field.use === undefined
    ? field.read(evaluation.event)
    : evaluation.state(field.use, field.type);
}

function fieldCaptures(
  field: RuleField,
  tests: readonly OperatorTest[],
): { readonly captures?: ConditionCaptures } {
  const captures = tests.find((one) => one.test.captures)?.test.captures;
  if (!captures) return {};
  const of = (evaluation: Evaluation) =>
    captures.of(field.read(evaluation.event), evaluation) ?? {};
  return { captures: { names: captures.names, of } };
}

function emptyMatcher(name: string, type: FieldType): Mistake {
  const example = Object.entries(EXAMPLES).find(([one]) => one === type)?.[1] ?? "exists: true";
  return {
    code: "empty-condition",
    message: `nothing is asked of "${name}"`,
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

/** The operators at `path`; a bare value means that the field equals it. */
function matcherAt(context: CompileContext, path: Path, field: RuleField): MatcherMap | undefined {
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
    const message = "${{ }} is not read in matchers";
    return context.report(isBare ? path : [...path, templated[0]], {
      code: "no-expression-here",
      message,
      help,
    });
  }
  return field.type === "text" ? asWritten(context, path, map, isBare) : map;
}

/** For a text field `equals: 0123` means the four characters, not the number. */
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
    if (OPERATORS[name]?.asWritten !== true || operand === undefined) continue;
    const at = isBare ? path : [...path, name];
    copy[name] = Array.isArray(operand)
      ? operand.map((one, index) => source([...at, index], one))
      : source(at, operand);
  }
  return { ...map, ...copy };
}
