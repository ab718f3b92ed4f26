import {
  type ASTNode,
  type Environment,
  EvaluationError,
  ParseError,
  type ParseResult,
  type TypeCheckResult,
  TypeError as CelTypeError,
} from "@marcbachmann/cel-js";
import type { Mistake } from "../../config/problem.ts";
import { MAX_VALUE, isWithin } from "./value-size.ts";
import type { ExpressionFault } from "./expression-fault.ts";
import { unaskedFields } from "./absence.ts";
import { withEmptyCaptures } from "./value-types/empty-captures.ts";
import { refillBudget } from "./functions/budget.ts";
import { constantFaults } from "./constant-calls.ts";
import { tooCostly } from "./expression-cost.ts";
import type { ChangedSource } from "./insertions.ts";
import { withZonedTimes } from "./functions/zoned-times.ts";
import { withOptionalAccess } from "./or-value.ts";
import { isSupported, refusedCalls } from "./refused-calls.ts";
import type { StateUse } from "../schema/state-keys.ts";
import { type SecretName, secretsIn } from "./secret-names.ts";
import { stateIn } from "./state-names.ts";
import { isNode, visit } from "./syntax-tree.ts";
import { resultType, unknownResultFields } from "./value-types/action-results.ts";
import { type KnownTypes, NO_TYPES } from "./value-types/known-types.ts";
import { stateReads, type StateType } from "./value-types/state-types.ts";
import { withNumbers } from "./value-types/number-texts.ts";
import { operandMistake } from "./value-types/operand-mistake.ts";
import { knownType, typedForm, typeIn } from "./value-types/typed-form.ts";
import { helpForExpression } from "./expression-help.ts";
import { fieldNotRequested } from "./result-object.ts";
import { lookUpField, noSuchField, type RuleScope } from "./scope.ts";
import type { View } from "./view.ts";

/** Value of an expression, or a sentence that explains why there is no value. */
export type Evaluated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

/** Expression that was checked against the fields and names of its rule. */
export interface Expression {
  readonly source: string;
  /** CEL type: `bool`, `string`, `int`, `dyn` … */
  readonly type: string;
  readonly ast: ASTNode;
  /** Top-level names that the expression reads: `sender`, `steps` … */
  readonly roots: ReadonlySet<string>;
  /** Secrets that the expression reads. */
  readonly secrets: readonly SecretName[];
  /** User state that the expression reads. */
  readonly state: readonly StateUse[];
  /** Paths of user state that the expression reads, with the kind of value that it expects at each path. */
  readonly stateReads: readonly Pick<StateType, "path" | "kind">[];
  readonly evaluate: (view: View) => Evaluated<unknown>;
}

/** Parses and checks a CEL expression. Every fault has its place within `source`. */
export function compileExpression(
  source: string,
  environment: Environment,
  scope: RuleScope,
  knownTypes: KnownTypes = NO_TYPES,
): Expression | { readonly faults: readonly ExpressionFault[] } {
  const types = { ...knownTypes, state: scope.declared ?? knownTypes.state };
  const { repaired, faults } = wordOperators(source);
  let written = (offset: number) => offset;
  let text = repaired;
  try {
    let parsed = environment.parse(text);
    const rewrite = (changed: ChangedSource | undefined): void => {
      if (changed === undefined) return;
      const before = written;
      text = changed.source;
      written = (offset) => before(changed.written(offset));
      parsed = environment.parse(text);
    };
    rewrite(withOptionalAccess(text, parsed.ast));
    const typeOf = (node: ASTNode) => knownType(node, types) ?? typeIn(environment, node);
    rewrite(withNumbers(text, parsed.ast, { numbers: types.numbers, typeOf }));
    rewrite(withEmptyCaptures(text, parsed.ast));
    rewrite(withZonedTimes(text, parsed.ast));
    const { ast } = parsed;
    // must run before the type check, which modifies the syntax tree
    const stateRead = stateReads(ast, typeOf);
    const refused = refusedCalls(ast);
    const checked = checkedWith(parsed, text, environment, types);
    const state = stateIn(ast, scope);
    // for undefined state, the fault from the scope is more precise than the type error
    const wrong =
      checked.valid || !checked.error || state.faults.length > 0
        ? state.faults
        : [explain(checked.error, text, scope, { environment, types })];
    const secrets = secretsIn(ast);
    const unasked = wrong.length > 0 ? [] : unaskedFields(ast, scope, types);
    const costly = tooCostly(ast) ?? [];
    const results = unknownResultFields(ast, types.results);
    const constants = wrong.length > 0 ? [] : constantFaults(ast, environment);
    const named = [...wrong, ...results, ...constants, ...secrets.refused];
    const astFaults = [...refused, ...named, ...unasked].concat(costly);
    const all = [...faults, ...astFaults.map((fault) => movedBack(fault, written))].sort(
      (a, b) => a.offset - b.offset,
    );
    if (all.length > 0) return { faults: all };
    const names = secrets.names.map((one) => ({ ...one, offset: written(one.offset) }));
    const evaluate = evaluating(parsed, source, names.length > 0);
    const type = resultType(ast, types.results) ?? checked.type ?? "dyn";
    const read = { state: state.uses, stateReads: stateRead };
    return { source, type, ast, roots: rootsIn(ast), secrets: names, ...read, evaluate };
  } catch (error) {
    if (faults.length > 0) return { faults };
    if (!(error instanceof ParseError) && !(error instanceof CelTypeError)) throw error;
    return { faults: [movedBack(explain(error, text, scope, { environment, types }), written)] };
  }
}

/** Checks the types of an expression: first with CEL's types, then with more exact types known from the rule. */
function checkedWith(
  parsed: ParseResult,
  source: string,
  environment: Environment,
  types: KnownTypes,
): TypeCheckResult {
  // must run before the type check, which modifies the syntax tree
  const form = typedForm(source, parsed.ast, environment, types);
  const checked = parsed.check();
  if (form === undefined || !checked.valid) return checked;
  const typed = form.environment.parse(form.source).check();
  return typed.valid || !isMixOfNumbers(typed.error?.summary ?? "") ? typed : checked;
}

/** Returns whether an error is a mix of whole numbers and decimals, which the evaluation allows. */
function isMixOfNumbers(summary: string): boolean {
  return /'(?:int|double)' and '(?:int|double)'$/.test(summary);
}

function movedBack(fault: ExpressionFault, written: (offset: number) => number): ExpressionFault {
  const offset = written(fault.offset);
  return { ...fault, offset, length: Math.max(1, written(fault.offset + fault.length) - offset) };
}

/**
 * Returns the function that evaluates a checked expression. CEL errors may quote the value, so an expression with
 * secrets has a generic error.
 */
function evaluating(parsed: ParseResult, source: string, readsSecrets: boolean) {
  return (view: View): Evaluated<unknown> => {
    const outcome = evaluated(parsed, view);
    return outcome.ok || !readsSecrets ? outcome : { ok: false, error: `${source} has no value` };
  };
}

function evaluated(parsed: (view: View) => unknown, view: View): Evaluated<unknown> {
  try {
    refillBudget();
    const value: unknown = parsed(view);
    if (!isWithin(value, MAX_VALUE)) {
      return { ok: false, error: `the value is longer than ${MAX_VALUE} characters` };
    }
    return { ok: true, value };
  } catch (error) {
    return { ok: false, error: errorSentence(error) };
  }
}

function errorSentence(error: unknown): string {
  if (!(error instanceof EvaluationError)) {
    return error instanceof Error ? error.message : String(error);
  }
  const { node, code, summary } = error;
  if (code === "no_such_key" && node) {
    return `${node.input.slice(node.start, node.end).replaceAll(".?", ".")} is not known here`;
  }
  if (code === "index_out_of_bounds" && node?.op === "[]") {
    const [list, index] = node.args.map((one) => node.input.slice(one.start, one.end));
    return `${list} has no item ${index}`;
  }
  return summary;
}

function rootsIn(node: ASTNode): ReadonlySet<string> {
  const roots = new Set<string>();
  visit(node, (one) => {
    if (one.op === "id") roots.add(one.args);
  });
  return roots;
}

const WORDS: Readonly<Record<string, string>> = {
  and: "&&",
  or: "||",
  not: "!",
  "=": "==",
  "===": "==",
  "!==": "!=",
  "<>": "!=",
  "&": "&&",
  "|": "||",
};
const STRINGS_AND_WORDS =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?<![\w.])(?:and|or|not)(?![\w.:])|[!=]==|<>|(?<![=!<>])=(?![=>])|(?<!&)&(?!&)|(?<!\|)\|(?!\|)/g;

/** Reports operators of other languages, and replaces each by the CEL operator with the same number of characters. */
function wordOperators(source: string): { repaired: string; faults: ExpressionFault[] } {
  const faults: ExpressionFault[] = [];
  const repaired = source.replaceAll(STRINGS_AND_WORDS, (token: string, offset: number) => {
    const right = WORDS[token];
    if (right === undefined) return token;
    const message = `"${token}" is not an operator here`;
    const mistake = { code: "expr-operator", message, help: `use ${right}` };
    faults.push({ mistake, offset, length: token.length });
    // if the valid operator is longer than the token, any operator as long as the token keeps the expression parseable
    return token.length < right.length ? "<" : right.padEnd(token.length);
  });
  return { repaired, faults };
}

function explain(
  error: ParseError | CelTypeError,
  source: string,
  scope: RuleScope,
  { environment, types }: { readonly environment: Environment; readonly types: KnownTypes },
): ExpressionFault {
  const { start, end } = error.range ?? { start: 0, end: source.length };
  const offset = Math.min(start, Math.max(0, source.length - 1));
  const token = source.slice(start, end);
  const fault = (mistake: Mistake, at = offset, length = Math.max(1, end - start)) => ({
    mistake,
    offset: at,
    length,
  });
  if (error.code === "no_such_key") {
    const parent = /([A-Za-z_][\w.]*)\.$/.exec(source.slice(0, start))?.[1] ?? "this";
    const looked = lookUpField(scope, `${parent}.${token}`);
    if ("mistake" in looked && looked.mistake.code !== "not-a-field" && scopeKnows(scope, parent)) {
      return fault(looked.mistake);
    }
    const unrequested = fieldNotRequested(parent, token, types.lookedUp);
    return fault(unrequested ?? noSuchField(scope, parent, token));
  }
  if (error.code === "unknown_variable") {
    const path = /^[\w.]+/.exec(source.slice(start))?.[0] ?? token;
    const looked = lookUpField(scope, path);
    if ("mistake" in looked) {
      return fault(looked.mistake, start, looked.part === path ? path.length : token.length);
    }
  }
  const operands = /no such overload: (\S+) \S+ (\S+)$/.exec(error.summary);
  const { node } = error;
  if (operands && node && isNode(node)) {
    const kinds = [operands[1] ?? "", operands[2] ?? ""] as const;
    return fault(operandMistake(node, kinds, source), node.start, node.end - node.start);
  }
  const message = `this expression can't be used: ${lowerFirst(error.summary)}`;
  const functions = environment.getDefinitions().functions.filter(({ name }) => isSupported(name));
  const help = /=>|->/.test(source)
    ? 'an expression has no functions of its own; for lists there is "in":  "a" in message.hashtags'
    : helpForExpression(error.summary, token, functions);
  return fault({ code: "expr-syntax", message, help });
}

function scopeKnows(scope: RuleScope, parent: string): boolean {
  return [...scope.fields.keys()].some((path) => path.startsWith(`${parent}.`));
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
