import type { FieldValue } from "../../../events/fields.ts";
import type { Asked, FieldAsked } from "../../evaluation/asked.ts";
import type {
  CompiledCondition,
  ConditionCaptures,
  Evaluation,
  Failure,
  TriggerName,
} from "../../evaluation/evaluation.ts";
import { isoTime } from "../../expression/view.ts";
import type { RuleField } from "../../schema/fields.ts";
import type { Expression } from "../../expression/expression.ts";
import { capturesOfAll, capturesOfAny } from "./captures.ts";
import { type OperatorTest, wantedOf } from "../matcher.ts";

/*
 * Compiled conditions. A bot can have tens of thousands: classes take less memory than closures, and the texts that
 * describe a condition are built on demand.
 */

/** Condition `any`: at least one of `clauses` must hold. */
export class AnyOf implements CompiledCondition {
  readonly path: string;
  readonly captures: ConditionCaptures | undefined;
  readonly #clauses: readonly CompiledCondition[];

  constructor(path: string, clauses: readonly CompiledCondition[]) {
    this.path = path;
    this.captures = capturesOfAny(clauses);
    this.#clauses = clauses;
  }

  get wanted(): string {
    return `any of: ${this.#clauses.map((clause) => clause.wanted).join("; ")}`;
  }

  get asks(): Asked {
    return { kind: "any", of: this.#clauses.map((clause) => clause.asks) };
  }

  test(evaluation: Evaluation, trigger: TriggerName): Failure | undefined {
    let first: Failure | undefined;
    let broken: Failure | undefined;
    for (const clause of this.#clauses) {
      const failure = clause.test(evaluation, trigger);
      if (!failure) return undefined;
      first ??= failure;
      if (failure.error !== undefined) broken ??= failure;
    }
    return broken ?? new Refusal(this, first?.actual);
  }
}

/** Condition `all`: every clause must hold; otherwise the failure is that of the first clause that does not. */
export class AllOf implements CompiledCondition {
  readonly path: string;
  readonly captures: ConditionCaptures | undefined;
  readonly #clauses: readonly CompiledCondition[];

  constructor(path: string, clauses: readonly CompiledCondition[]) {
    this.path = path;
    this.captures = capturesOfAll(clauses);
    this.#clauses = clauses;
  }

  get wanted(): string {
    return `all of: ${this.#clauses.map((clause) => clause.wanted).join("; ")}`;
  }

  get asks(): Asked {
    return { kind: "all", of: this.#clauses.map((clause) => clause.asks) };
  }

  test(evaluation: Evaluation, trigger: TriggerName): Failure | undefined {
    for (const clause of this.#clauses) {
      const failure = clause.test(evaluation, trigger);
      if (failure) return failure;
    }
    return undefined;
  }
}

/** Condition `not`: `inner` must not hold. If `inner` can't be evaluated, `not` fails, too. */
export class Not implements CompiledCondition {
  readonly path: string;
  readonly #inner: CompiledCondition;

  constructor(path: string, inner: CompiledCondition) {
    this.path = path;
    this.#inner = inner;
  }

  get wanted(): string {
    return `not: ${this.#inner.wanted}`;
  }

  get asks(): Asked {
    return { kind: "not", of: this.#inner.asks };
  }

  test(evaluation: Evaluation, trigger: TriggerName): Failure | undefined {
    const failure = this.#inner.test(evaluation, trigger);
    if (failure) return failure.error === undefined ? undefined : failure;
    return new Refusal(this, this.#inner.wanted);
  }
}

/** Condition `if`: the expression must give true. */
export class Holds implements CompiledCondition {
  readonly path: string;
  readonly #expression: Expression;

  constructor(path: string, expression: Expression) {
    this.path = path;
    this.#expression = expression;
  }

  get wanted(): string {
    return this.#expression.source;
  }

  get asks(): Asked {
    const { source, ast } = this.#expression;
    return { kind: "expression", source, ast };
  }

  test(evaluation: Evaluation, trigger: TriggerName): Failure | undefined {
    const outcome = this.#expression.evaluate(evaluation.view(trigger));
    if (!outcome.ok) return { path: this.path, wanted: this.wanted, error: outcome.error };
    return outcome.value === true ? undefined : new Refusal(this, false);
  }
}

/** Condition on one field: all of its operators must hold. */
export class FieldClause implements CompiledCondition {
  readonly path: string;
  readonly asks: FieldAsked;
  readonly captures: ConditionCaptures | undefined;
  readonly #field: RuleField;
  readonly #tests: readonly OperatorTest[];

  constructor(
    { name, path }: { readonly name: string; readonly path: string },
    field: RuleField,
    tests: readonly OperatorTest[],
  ) {
    this.path = path;
    const { type, use } = field;
    this.asks = { kind: "field", field: name, type, ...(use && { use }), tests };
    this.captures = fieldCaptures(field, tests);
    this.#field = field;
    this.#tests = tests;
  }

  get wanted(): string {
    return `${this.asks.field} ${this.#tests.map(wantedOf).join(", ")}`;
  }

  test(evaluation: Evaluation): Failure | undefined {
    const field = this.#field;
    const value = valueOf(field, evaluation);
    for (const { test } of this.#tests) {
      if (test(value, evaluation)) continue;
      return new Refusal(this, field.isNow ? isoTime(evaluation.now) : value);
    }
    return undefined;
  }
}

/** Failure of a condition. Its texts are built on demand. */
class Refusal implements Failure {
  readonly actual: FieldValue;
  readonly #clause: CompiledCondition;

  constructor(clause: CompiledCondition, actual: FieldValue) {
    this.#clause = clause;
    this.actual = actual;
  }

  get path(): string {
    return this.#clause.path;
  }

  get wanted(): string {
    return this.#clause.wanted;
  }

  /** Always absent: this class is for conditions that were evaluated without an error. */
  get error(): undefined {
    return undefined;
  }
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
): ConditionCaptures | undefined {
  const captures = tests.find((one) => one.test.captures)?.test.captures;
  if (!captures) return undefined;
  return {
    names: captures.names,
    numbers: captures.numbers,
    of: (evaluation) => captures.of(field.read(evaluation.event), evaluation) ?? {},
  };
}
