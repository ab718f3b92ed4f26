import { editDistance } from "../../text/did-you-mean.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { FieldValue } from "../../events/fields.ts";
import {
  type Asked,
  type AskedTest,
  type FieldAsked,
  type CompiledCondition,
  type Evaluation,
  fieldsOf,
} from "../../rules/evaluate.ts";
import type { CompiledRule } from "../../rules/ruleset.ts";

/** A single test of a condition, and its result for an event. */
export interface AskedLine {
  /** The test: `message.text contains_word refund|chargeback`, preceded by `not` if it is negated. */
  readonly wanted: string;
  /** Field that the test reads. Set, like `operator` and `operands`, for a test of one field by one operator. */
  readonly field?: string;
  readonly operator?: string;
  readonly operands?: readonly unknown[];
  /** Whether the test is true; undefined if it can't be judged separately, such as an expression among other tests. */
  readonly holds: boolean | undefined;
  /** Value of the field in the event. */
  readonly actual: FieldValue;
  /** Words that the operator looked for, and the text in which it looked, both as they were compared. */
  readonly compared?: { readonly words: readonly string[]; readonly text: string };
}

/** A condition that an event has failed, with the result of each test. */
export interface FailedCondition {
  readonly condition: CompiledCondition;
  readonly index: number;
  readonly lines: readonly AskedLine[];
  readonly missing: readonly AskedLine[];
  /** Word of the text that comes closest to a word that the condition looks for. */
  readonly closest: ClosestWord | undefined;
}

/**
 * Finds the rule's condition that contains the clause at `path`, and evaluates its tests; undefined if the clause is
 * not in a condition.
 */
export function failedCondition(
  { conditions }: Pick<CompiledRule, "conditions">,
  path: string | undefined,
  event: AccountEvent,
  evaluation: Evaluation,
): FailedCondition | undefined {
  const top = topLevel(path);
  const index = conditions.findIndex((one) => top !== undefined && topLevel(one.path) === top);
  const condition = conditions[index];
  if (condition === undefined) return undefined;
  const lines = askedLines(condition.asks, event, evaluation);
  const missing = lines.filter(({ holds }) => holds === false);
  const [closest] = missing
    .flatMap(({ compared }) => (compared && closestWord(compared.words, compared.text)) ?? [])
    .toSorted((a, b) => a.edits - b.edits);
  return { condition, index, lines, missing, closest };
}

/** Returns `conditions[2]` of `conditions[2].any[1].message.text`. */
function topLevel(path: string | undefined): string | undefined {
  return /^conditions\[\d+\]/.exec(path ?? "")?.[0];
}

/** Returns the tests of a condition, each with the event's value. */
function askedLines(
  condition: Asked,
  event: AccountEvent,
  evaluation: Evaluation,
): readonly AskedLine[] {
  switch (condition.kind) {
    case "all":
    case "any":
      return condition.of.flatMap((one) => askedLines(one, event, evaluation));
    case "not":
      return askedLines(condition.of, event, evaluation).map(({ wanted, holds, actual }) => ({
        wanted: `not ${wanted}`,
        holds: holds === undefined ? undefined : !holds,
        actual,
      }));
    case "expression":
      return [{ wanted: condition.source, holds: undefined, actual: undefined }];
    case "field":
      return condition.tests.map((test) => fieldLine(condition, test, event, evaluation));
  }
}

function fieldLine(
  { field }: FieldAsked,
  test: AskedTest,
  event: AccountEvent,
  evaluation: Evaluation,
): AskedLine {
  const { operator, operands, cased } = test;
  const read = fieldsOf(event.kind).get(field)?.read(event);
  const actual = field === "now" ? evaluation.now : read;
  const wanted = `${field} ${operator} ${operands.join("|")}`;
  const holds = test.test(actual, evaluation);
  const line = { wanted, field, operator, operands, holds, actual };
  if (typeof actual !== "string" || !LITERAL.has(operator)) return line;
  const words = operands.filter((one) => typeof one === "string");
  return {
    ...line,
    compared: { words, text: cased ? actual : evaluation.fold(actual) },
  };
}

/** Operators that look for their operands literally, so that a misspelled word can make them fail. */
const LITERAL: ReadonlySet<string> = new Set([
  "equals",
  "in",
  "contains",
  "contains_any",
  "contains_all",
  "contains_word",
  "starts_with",
  "ends_with",
]);

/** A word of a text that nearly matches a wanted word. */
export interface ClosestWord {
  readonly found: string;
  readonly wanted: string;
  /** Number of letters to add, drop, change or swap. */
  readonly edits: number;
}

/** Returns the word of `text` that comes closest to one of `words`. At most a third of its letters may be wrong. */
export function closestWord(words: readonly string[], text: string): ClosestWord | undefined {
  const tokens = text.split(/[^\p{L}\p{N}_'-]+/u).filter((token) => token !== "");
  let best: ClosestWord | undefined;
  for (const wanted of words) {
    const length = wanted.split(" ").length;
    const most = Math.min(best === undefined ? Infinity : best.edits - 1, wanted.length / 3);
    for (const start of tokens.slice(0, MAX_TOKENS).keys()) {
      const word = tokens.slice(start, start + length).join(" ");
      if (Math.abs(word.length - wanted.length) > most) continue;
      const edits = editDistance(word, wanted, Math.floor(most) + 1);
      if (edits > 0 && edits <= most && edits < (best?.edits ?? Infinity)) {
        best = { found: word, wanted, edits };
      }
    }
  }
  return best;
}

/** Maximum number of words of a text that are compared. */
const MAX_TOKENS = 200;
