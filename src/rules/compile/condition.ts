import { checkValue, valueAt } from "../../config/check-value.ts";
import type { Mistake, Problem } from "../../config/problem.ts";
import type { Part, Path } from "../../config/yaml-document.ts";
import type { CompiledCondition, Failure } from "../decide/evaluation.ts";
import type { CompileContext } from "./compile-context.ts";
import type { EventField } from "../../events/fields.ts";
import { reservedWord } from "../schema/reserved-words.ts";
import { compileMatcher, type OperatorFault } from "./matcher.ts";
import { OPERATORS } from "../operators/operators.ts";
import { matcher, type MatcherMap } from "../schema/rule-file.ts";
import { lookUpField } from "./scope.ts";
import type { AccountEvent } from "../../events/event.ts";

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
    const help = `start it with "- ", as a condition of its own`;
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
  const clauses = compileConditions(context, path);
  const where = context.label(path);
  const wanted = `${kind} of: ${clauses.map((clause) => clause.wanted).join("; ")}`;
  if (clauses.length === 0) return undefined;
  if (kind === "all") return allOf(clauses, where, wanted);
  return {
    path: where,
    wanted,
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

/** Holds when every clause does; gives the first that doesn't. */
function allOf(
  clauses: readonly CompiledCondition[],
  path: string,
  wanted: string,
): CompiledCondition {
  return {
    path,
    wanted,
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
  const looked = lookUpField(context.scope, name);
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
  const { tests, faults } = compileMatcher(looked.field.type, map);
  for (const fault of faults) context.add(operatorProblem(context, path, fault));
  if (faults.length > 0 || tests.length === 0) return undefined;
  const where = context.label(path);
  const { field } = looked;
  const wanted = `${name} ${tests.map((test) => test.wanted).join(", ")}`;
  return {
    path: where,
    wanted,
    test(evaluation) {
      const value = field.read(evaluation.event);
      for (const one of tests) {
        if (!one.test(value, evaluation)) return { path: where, wanted, actual: value };
      }
      return undefined;
    },
  };
}

function keyProblem(context: CompileContext, path: Path, mistake: Mistake, part: Part): Problem {
  const whole = context.document.problemAt(path, mistake, "key");
  if (typeof part !== "object" || part.length === undefined) return whole;
  return { ...whole, column: whole.column + (part.offset ?? 0), length: part.length };
}

function operatorProblem(context: CompileContext, path: Path, fault: OperatorFault): Problem {
  const at = [...path, fault.name];
  if (fault.part) return context.document.problemAt(at, fault.mistake, fault.part);
  const isMap = typeof valueAt(context.document.value, path) === "object";
  return context.document.problemAt(isMap ? at : path, fault.mistake, isMap ? "key" : "value");
}

/** The operators at `path`; a bare value means that the field equals it. */
function matcherAt(
  context: CompileContext,
  path: Path,
  field: EventField<AccountEvent>,
): MatcherMap | undefined {
  const { value, problems } = checkValue(matcher, context.document, {
    at: path,
    within: " among the operators",
    reserved: (key) => reservedWord("operator", key),
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
