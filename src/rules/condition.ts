import { checked, valueAt } from "../config/checked.ts";
import type { Mistake, Problem } from "../config/problem.ts";
import type { Part, Path } from "../config/yaml-document.ts";
import type { Clause, Failure } from "./evaluation.ts";
import type { Desk } from "./desk.ts";
import type { Field } from "./fields.ts";
import { laterWord } from "./later.ts";
import { compileMatcher, type OperatorFault } from "./matcher.ts";
import { matcher, type MatcherMap } from "./rule-file.ts";
import { lookUpField } from "./scope.ts";
import type { AccountEvent } from "../events/event.ts";

/** Compiles the list at `path`: all of it must hold. Faults go to the desk. */
export function compileConditions(desk: Desk, path: Path): Clause[] {
  const list = valueAt(desk.document.value, path);
  if (!Array.isArray(list)) {
    desk.report(path, {
      code: "wrong-type",
      message: "conditions are a list",
      help: 'start each with "- "',
    });
    return [];
  }
  return list.flatMap((_, index) => compileCondition(desk, [...path, index]) ?? []);
}

function compileCondition(desk: Desk, path: Path): Clause | undefined {
  const value = valueAt(desk.document.value, path);
  const keys =
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const [key, second] = keys;
  if (key === undefined) {
    const help = "write  - message.text: {contains_word: hello}  or  - if: EXPRESSION";
    return desk.report(path, {
      code: "wrong-type",
      message: "a condition is a field with what is asked of it",
      help,
    });
  }
  if (second !== undefined) {
    const help = `start it with "- ", as a condition of its own`;
    const message = `"${second}" is a second condition in one list item`;
    return desk.report([...path, second], { code: "two-conditions", message, help }, "key");
  }
  const inner = [...path, key];
  if (key === "any" || key === "all") return combined(key, desk, inner);
  if (key === "not") return negated(desk, inner);
  if (key === "if") return expressionClause(desk, inner);
  return compileField(desk, key, inner);
}

function combined(kind: "any" | "all", desk: Desk, path: Path): Clause | undefined {
  const clauses = compileConditions(desk, path);
  const where = desk.label(path);
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

/** Holds when every clause does; tells the first that doesn't. */
function allOf(clauses: readonly Clause[], path: string, wanted: string): Clause {
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

function negated(desk: Desk, path: Path): Clause | undefined {
  const value = valueAt(desk.document.value, path);
  const inner = Array.isArray(value) ? combined("all", desk, path) : compileCondition(desk, path);
  if (!inner) return undefined;
  const where = desk.label(path);
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

function expressionClause(desk: Desk, path: Path): Clause | undefined {
  const compiled = desk.condition(path);
  if (!compiled) return undefined;
  const where = desk.label(path);
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
export function compileField(desk: Desk, name: string, path: Path): Clause | undefined {
  const looked = lookUpField(desk.scope, name);
  if ("mistake" in looked) {
    const part: Part = {
      text: name,
      offset: name.lastIndexOf(looked.part),
      length: looked.part.length,
    };
    desk.add(keyProblem(desk, path, looked.mistake, part));
    return undefined;
  }
  const map = matcherAt(desk, path, looked.field);
  if (!map) return undefined;
  const { tests, faults } = compileMatcher(looked.field.type, map);
  for (const fault of faults) desk.add(operatorProblem(desk, path, fault));
  if (faults.length > 0 || tests.length === 0) return undefined;
  const where = desk.label(path);
  const { read } = looked.field;
  const wanted = `${name} ${tests.map((test) => test.wanted).join(", ")}`;
  return {
    path: where,
    wanted,
    test(evaluation) {
      const value = read(evaluation.event);
      for (const one of tests) {
        if (!one.test(value, evaluation)) return { path: where, wanted, actual: value };
      }
      return undefined;
    },
  };
}

function keyProblem(desk: Desk, path: Path, mistake: Mistake, part: Part): Problem {
  const whole = desk.document.problemAt(path, mistake, "key");
  if (typeof part !== "object" || part.length === undefined) return whole;
  return { ...whole, column: whole.column + (part.offset ?? 0), length: part.length };
}

function operatorProblem(desk: Desk, path: Path, fault: OperatorFault): Problem {
  const at = [...path, fault.name];
  if (fault.part) return desk.document.problemAt(at, fault.mistake, fault.part);
  const isMap = typeof valueAt(desk.document.value, path) === "object";
  return desk.document.problemAt(isMap ? at : path, fault.mistake, isMap ? "key" : "value");
}

/** The operators at `path`; a bare value means that the field equals it. */
function matcherAt(desk: Desk, path: Path, field: Field<AccountEvent>): MatcherMap | undefined {
  const { value, problems } = checked(matcher, desk.document, {
    at: path,
    within: " among the operators",
    later: (key) => laterWord("operator", key),
  });
  for (const problem of problems) desk.add(problem);
  if (value === undefined) return undefined;
  const map = typeof value === "object" ? value : { equals: value };
  const isBare = typeof value !== "object";
  const templated = Object.entries(map).find(([, one]) =>
    (JSON.stringify(one) ?? "").includes("${{"),
  );
  if (templated) {
    const help = "compare with an expression:  - if: FIELD == …";
    const message = "${{ }} is not read in matchers";
    return desk.report(isBare ? path : [...path, templated[0]], {
      code: "no-expression-here",
      message,
      help,
    });
  }
  return field.type === "text" ? inSourceText(desk, path, map, isBare) : map;
}

/** For a text field `equals: 0123` means the four characters, not the number. */
function inSourceText(desk: Desk, path: Path, map: MatcherMap, isBare: boolean): MatcherMap {
  const source = (at: Path, value: unknown) =>
    typeof value === "string" ? value : (desk.document.sourceAt(at) ?? String(value));
  const copy = { ...map };
  if (map.equals !== undefined)
    copy.equals = source(isBare ? path : [...path, "equals"], map.equals);
  if (map.in) copy.in = map.in.map((one, index) => source([...path, "in", index], one));
  return copy;
}
