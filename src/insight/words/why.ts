import type { AccountEvent } from "../../events/event.ts";
import type { Verdict, DecideContext } from "../../rules/decide.ts";
import { Evaluation, fieldsOf } from "../../rules/evaluate.ts";
import type { CompiledRule } from "../../rules/ruleset.ts";
import { failedCondition, type ClosestWord } from "./condition.ts";
import { valueInWords } from "./clause.ts";

/** A requirement for a rule to run, and whether it is met. */
export interface WhyLine {
  /** Path of the requirement in the rule: `conditions[0].any`, `cooldown`. */
  readonly where: string;
  readonly wanted: string;
  /** Whether the requirement is met. `-`: it can't be judged separately. */
  readonly state: "ok" | "no" | "-";
  /** Actual value in words. Absent if the requirement alone explains the state. */
  readonly actual?: string;
}

/** Explanation of a verdict: the requirements of the rule, up to the first one that is not met. */
export interface WhyAnswer {
  readonly verdict: Verdict;
  readonly lines: readonly WhyLine[];
  readonly closest?: ClosestWord;
}

/** Explains a rule's verdict on an event in detail. Pure. */
export function whyRule(
  rule: CompiledRule,
  verdict: Verdict,
  event: AccountEvent,
  { now }: Pick<DecideContext, "now">,
): WhyAnswer {
  const { reason, clause, outcome } = verdict;
  const before = clauseBefore(verdict, rule);
  if (before !== undefined) return { verdict, lines: [...groupLine(rule, reason), before] };
  const at = outcome === "no" ? clause?.path : undefined;
  const failed = failedCondition(rule, at, event, new Evaluation(event, now));
  const isElsewhere = failed === undefined && at?.startsWith("conditions[") === true;
  const passed = isElsewhere ? [] : rule.conditions.slice(0, failed?.index);
  const lines: WhyLine[] = [
    ...groupLine(rule, reason),
    ...passed.map(({ path, wanted }): WhyLine => ({ where: path, wanted, state: "ok" })),
  ];
  if (failed === undefined) {
    if (clause !== undefined && outcome !== "ran") lines.push(lineOf(clause));
    return { verdict, lines };
  }
  const { condition, closest } = failed;
  if (clause?.error !== undefined || failed.lines.every(({ holds }) => holds === undefined)) {
    const what = clause ?? { path: condition.path, wanted: condition.wanted };
    const read = valuesIn(what.wanted, event);
    return {
      verdict,
      lines: [...lines, read === undefined ? lineOf(what) : { ...lineOf(what), actual: read }],
    };
  }
  const compared = failed.lines.map(({ wanted, holds, actual }): WhyLine => ({
    where: condition.path,
    wanted,
    state: holds === undefined ? "-" : holds ? "ok" : "no",
    actual: valueInWords(actual),
  }));
  return { verdict, lines: [...lines, ...compared], ...(closest !== undefined && { closest }) };
}

/** Requirements that a rule's own keys (`enabled`, `stage`, `direction`) did not meet, by the verdict's reason. */
const KEPT_BACK: Readonly<Partial<Record<Verdict["reason"], WhyLine>>> = {
  disabled: { where: "enabled", wanted: "true", state: "no", actual: "false" },
  "stage-draft": { where: "stage", wanted: "live", state: "no", actual: "draft" },
  "own-event": {
    where: "triggers",
    wanted: "direction: inbound",
    state: "no",
    actual: "the account itself did it",
  },
  "not-own-event": {
    where: "triggers",
    wanted: "direction: outbound",
    state: "no",
    actual: "somebody else did it",
  },
};

const CLAUSES_BEFORE: ReadonlySet<Verdict["reason"]> = new Set([
  "other-conversation",
  "group-already-matched",
  "too-old",
  "paused",
  "other-account",
]);

/**
 * Returns the requirement that blocked a rule before its conditions were evaluated; undefined if they were evaluated.
 */
function clauseBefore(
  { reason, clause }: Verdict,
  { onReplay }: CompiledRule,
): WhyLine | undefined {
  if (reason === "replayed") {
    return {
      where: "on_replay",
      wanted: "run",
      state: "no",
      actual: `${onReplay}, and it came late`,
    };
  }
  if (CLAUSES_BEFORE.has(reason)) return clause && lineOf(clause);
  return KEPT_BACK[reason];
}

const BEFORE_GROUP: ReadonlySet<Verdict["reason"]> = new Set([
  "group-already-matched",
  "paused",
  "disabled",
  "stage-draft",
  "other-account",
]);

function groupLine({ group }: CompiledRule, reason: Verdict["reason"]): readonly WhyLine[] {
  if (group === undefined || BEFORE_GROUP.has(reason)) return [];
  return [{ where: `group ${group}`, wanted: "not yet answered", state: "ok" }];
}

function lineOf({ path, wanted, actual, error }: NonNullable<Verdict["clause"]>): WhyLine {
  return { where: path, wanted, state: "no", actual: error ?? valueInWords(actual) };
}

/** Returns the fields that an expression reads, with the event's values: `message.text = "hi"`. */
function valuesIn(expression: string, event: AccountEvent): string | undefined {
  const fields = fieldsOf(event.kind);
  const names = new Set(expression.match(/[a-z_]+(?:\.[a-z_]+)+/g));
  const values = [...names].flatMap((name) => {
    const field = fields.get(name);
    return field === undefined ? [] : [`${name} = ${valueInWords(field.read(event))}`];
  });
  return values.length === 0 ? undefined : values.join(", ");
}
