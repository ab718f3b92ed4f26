import type { AccountEvent } from "../../../events/event.ts";
import { type AskedLine, failedCondition, type ClosestWord } from "../../words/condition.ts";
import { valueInWords } from "../../words/clause.ts";
import type { Verdict } from "../../../rules/decide.ts";
import { Evaluation } from "../../../rules/evaluate.ts";
import type { Ruleset } from "../../../rules/ruleset.ts";

/** Rule that would have run after the smallest change to the person's message. */
export interface ClosestRule {
  readonly ruleId: string;
  readonly file: string;
  readonly line: number;
  /** The difference in words, such as `wants the word "human" or "agent", the message is "hello"`. */
  readonly inWords: string;
  /** Word of the message that nearly matches a word that the rule looks for. */
  readonly nearly?: ClosestWord;
}

/** Edit distance for rules without a nearly matching word, so that they are sorted after all others. */
const FAR = 1_000;

/** Maximum number of rules that are compared, since each comparison evaluates a rule again. */
const MAX_COMPARED = 200;

/**
 * Returns the rule that came closest to matching. A rule with a nearly matching word comes first, then the rule with
 * the most passed conditions. Undefined if several rules failed, and none of them has a nearly matching word or a
 * passed condition.
 */
export function closestRule(
  verdicts: readonly Verdict[],
  event: AccountEvent,
  ruleset: Ruleset,
  now: number,
): ClosestRule | undefined {
  const evaluation = new Evaluation(event, now);
  const compared = verdicts
    .filter(({ outcome, reason }) => outcome === "no" && reason === "condition")
    .slice(0, MAX_COMPARED)
    .flatMap((verdict) => comparedRule(verdict, ruleset, event, evaluation) ?? []);
  const [closest] = compared.toSorted(
    (a, b) => (a.nearly?.edits ?? FAR) - (b.nearly?.edits ?? FAR) || b.passed - a.passed,
  );
  const isClose = closest?.nearly !== undefined || (closest?.passed ?? 0) > 0;
  return isClose || compared.length === 1 ? closest : undefined;
}

function comparedRule(
  { ruleId, file, line, clause }: Verdict,
  ruleset: Ruleset,
  event: AccountEvent,
  evaluation: Evaluation,
): (ClosestRule & { readonly passed: number }) | undefined {
  const rule = ruleset.byId.get(ruleId);
  if (rule === undefined || clause === undefined) return undefined;
  const failed = failedCondition(rule, clause.path, event, evaluation);
  const { missing = [], index = 0, closest: nearly } = failed ?? {};
  return {
    ruleId,
    file,
    line,
    inWords: missing.length === 0 ? wantsClause(clause) : wants(missing),
    passed: index,
    ...(nearly !== undefined && { nearly }),
  };
}

function wantsClause({ wanted, actual, error }: NonNullable<Verdict["clause"]>): string {
  const instead = error ?? (actual === undefined ? undefined : `there is ${valueInWords(actual)}`);
  return instead === undefined ? `wants ${wanted}` : `wants ${wanted}, ${instead}`;
}

/**
 * Describes the failed tests of a condition: `wants the word "human", the message is "hello"`. Alternatives are joined
 * by "or".
 */
function wants(missing: readonly AskedLine[]): string {
  const [first] = missing;
  const isOneField = missing.every(({ field }) => field === first?.field);
  const all = missing.map(wantedInWords).join(" or ");
  if (first === undefined || !isOneField) return `wants ${all}`;
  return `wants ${all}, ${subjectOf(first)} ${valueInWords(first.actual)}`;
}

const SUBJECTS: Readonly<Record<string, string>> = {
  "message.text": "the message",
  "post.text": "the post",
};

function subjectOf({ field = "it" }: AskedLine): string {
  return `${SUBJECTS[field] ?? field} is`;
}

/** Words before the texts that a rule looks for, by operator: `the word ` before `"human"`. */
const ASKS: Readonly<Record<string, string>> = {
  equals: "",
  in: "",
  contains_word: "the word ",
  contains: "a text with ",
  contains_any: "a text with ",
  starts_with: "a text that begins with ",
  ends_with: "a text that ends with ",
};

function wantedInWords({ wanted, field, operator, operands }: AskedLine): string {
  const asks = operator === undefined ? undefined : ASKS[operator];
  if (asks === undefined || operands === undefined || wanted.startsWith("not ")) return wanted;
  const values = operands.map((one) => valueInWords(one)).join(" or ");
  const isText = field !== undefined && field in SUBJECTS;
  return isText ? `${asks}${values}` : `${field ?? ""} ${asks}${values}`.trim();
}
