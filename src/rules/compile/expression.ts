import {
  type ASTNode,
  type Environment,
  EvaluationError,
  ParseError,
  TypeError as CelTypeError,
} from "@marcbachmann/cel-js";
import type { Mistake } from "../../config/problem.ts";
import { type SecretName, secretsIn } from "./secret-names.ts";
import { visit } from "./syntax-tree.ts";
import { lookUpField, noSuchField, type RuleScope } from "./scope.ts";
import type { View } from "../decide/view.ts";

/** A value, or the sentence that says why there is none. */
export type Evaluated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: string };

/** An expression that was checked against what its rule can speak of. */
export interface Expression {
  readonly source: string;
  /** Its CEL type: `bool`, `string`, `int`, `dyn` … */
  readonly type: string;
  /** Names that it uses: `sender`, `steps` … */
  readonly roots: ReadonlySet<string>;
  /** Secrets that it reads. */
  readonly secrets: readonly SecretName[];
  readonly evaluate: (view: View) => Evaluated<unknown>;
}

/** A fault within an expression's source. */
export interface ExpressionFault {
  readonly mistake: Mistake;
  readonly offset: number;
  readonly length: number;
}

/** Parses and checks a CEL expression. Every fault has its place within `source`. */
export function compileExpression(
  source: string,
  environment: Environment,
  scope: RuleScope,
): Expression | { readonly faults: readonly ExpressionFault[] } {
  const { repaired, faults } = wordOperators(source);
  try {
    const parsed = environment.parse(repaired);
    const refused = refusedCalls(parsed.ast);
    const checked = parsed.check();
    const wrong = checked.valid || !checked.error ? [] : [explain(checked.error, repaired, scope)];
    const secrets = secretsIn(parsed.ast);
    const all = [...faults, ...refused, ...wrong, ...secrets.unnamed].sort(
      (a, b) => a.offset - b.offset,
    );
    if (all.length > 0) return { faults: all };
    const evaluate = (view: View) => evaluated(parsed, view);
    const roots = rootsIn(parsed.ast);
    return { source, type: checked.type ?? "dyn", roots, secrets: secrets.names, evaluate };
  } catch (error) {
    if (faults.length > 0) return { faults };
    if (!(error instanceof ParseError) && !(error instanceof CelTypeError)) throw error;
    return { faults: [explain(error, source, scope)] };
  }
}

/** Texts that grow without end would be sent, stored and shown; no reply needs more. */
const MAX_TEXT = 100_000;

function evaluated(parsed: (view: View) => unknown, view: View): Evaluated<unknown> {
  try {
    const value = parsed(view);
    if (typeof value === "string" && value.length > MAX_TEXT) {
      return { ok: false, error: `the text is longer than ${MAX_TEXT} characters` };
    }
    return { ok: true, value };
  } catch (error) {
    return { ok: false, error: errorSentence(error) };
  }
}

function errorSentence(error: unknown): string {
  if (!(error instanceof EvaluationError)) return String(error);
  const { node, code, summary } = error;
  if (code === "no_such_key" && node) {
    return `${node.input.slice(node.start, node.end)} is not known here`;
  }
  return summary;
}

/** CEL's loops have no cost limit and its `matches` backtracks: a message could hang the bot. */
const REFUSED: Readonly<Record<string, Mistake>> = {
  ...Object.fromEntries(
    ["all", "exists", "exists_one", "map", "filter", "bind"].map((name) => [
      name,
      {
        code: "expr-no-loops",
        message: `"${name}" is not supported: expressions have no loops, so no message can hang the bot`,
        help: 'for lists there is "in":  "a" in message.hashtags',
      },
    ]),
  ),
  matches: {
    code: "expr-no-matches",
    message: '"matches" is not supported in expressions',
    help: "use a condition:  - FIELD: {matches: 'PATTERN'}",
  },
};

function refusedCalls(node: ASTNode): ExpressionFault[] {
  const found: ExpressionFault[] = [];
  visit(node, (one) => {
    const name = one.op === "call" || one.op === "rcall" ? one.args[0] : undefined;
    const mistake = name === undefined || !Object.hasOwn(REFUSED, name) ? undefined : REFUSED[name];
    if (name === undefined || mistake === undefined) return;
    const at = one.input.indexOf(name, one.op === "rcall" ? one.args[1].end : one.start);
    found.push({ mistake, offset: Math.max(at, one.start), length: name.length });
  });
  return found;
}

function rootsIn(node: ASTNode): ReadonlySet<string> {
  const roots = new Set<string>();
  visit(node, (one) => {
    if (one.op === "id") roots.add(one.args);
  });
  return roots;
}

const WORDS: Readonly<Record<string, string>> = { and: "&&", or: "||", not: "!" };
const STRINGS_AND_WORDS =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?<![\w.])(?:and|or|not)(?![\w.:])|(?<![=!<>])=(?!=)/g;

/** Operators of other languages, each a fault of its own; in their place CEL's, as long as they were. */
function wordOperators(source: string): { repaired: string; faults: ExpressionFault[] } {
  const faults: ExpressionFault[] = [];
  const repaired = source.replaceAll(STRINGS_AND_WORDS, (token: string, offset: number) => {
    const right = token === "=" ? "==" : WORDS[token];
    if (right === undefined) return token;
    const message = `"${token}" is not an operator here`;
    const mistake = { code: "expr-operator", message, help: `use ${right}` };
    faults.push({ mistake, offset, length: token.length });
    return token === "=" ? "<" : right.padEnd(token.length);
  });
  return { repaired, faults };
}

function explain(
  error: ParseError | CelTypeError,
  source: string,
  scope: RuleScope,
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
    return fault(noSuchField(scope, parent, token));
  }
  if (error.code === "unknown_variable") {
    const path = /^[\w.]+/.exec(source.slice(start))?.[0] ?? token;
    const looked = lookUpField(scope, path);
    if ("mistake" in looked) {
      return fault(looked.mistake, start, looked.part === path ? path.length : token.length);
    }
  }
  const message = `this expression can't be used: ${lowerFirst(error.summary)}`;
  return fault({ code: "expr-syntax", message });
}

function scopeKnows(scope: RuleScope, parent: string): boolean {
  return [...scope.fields.keys()].some((path) => path.startsWith(`${parent}.`));
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
