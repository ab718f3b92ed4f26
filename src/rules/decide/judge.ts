import { isInScope } from "../../events/conversation.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import type { InPieces } from "../../system/in-pieces.ts";
import type { CompiledRule, NarrowedByState } from "../ruleset.ts";
import { rulesByState } from "./rules-by-state.ts";
import { barred } from "./barred.ts";
import { Evaluation, type Failure, type TriggerName } from "../evaluation/evaluation.ts";
import { WaitingRules } from "./waiting-rules.ts";
import { LONGEST_KEY } from "./mode.ts";
import type { JudgingContext, RuleOutcome, RunStart } from "./rule-outcome.ts";
import { keyOf, slotName } from "../schema/state-keys.ts";
import { isWithin, MAX_VARIABLE } from "../expression/value-size.ts";
import { celData, celOfType } from "../expression/view.ts";

/**
 * Judges rules for one event, in order; each group answers once. If a rule needs user state that is not loaded, yields
 * the keys that this rule and the later rules may need, and evaluates this rule again after they are loaded.
 *
 * @param byState Rules whose index lookup reads user state. The state is loaded when the first of them is next in
 * order. Those that may match then join `rules`.
 */
export function* judging(
  rules: readonly CompiledRule[],
  evaluation: Evaluation,
  context: JudgingContext,
  byState?: NarrowedByState,
): InPieces<readonly RuleOutcome[], readonly string[]> {
  const answered = new Map<string, string>();
  const outcomes: RuleOutcome[] = [];
  const waiting = byState && new WaitingRules(rulesByState(byState), rules);
  let queue = rules;
  for (let place = 0; ; place++) {
    if (
      waiting?.isDue(queue[place], (one) => barred(one, evaluation, context, answered)) === true
    ) {
      const rest = queue.slice(place);
      if (context.isUnread !== undefined) {
        yield keysOf(rest, waiting, evaluation);
        evaluation.readAnew();
      }
      queue = [...queue.slice(0, place), ...(yield* waiting.joining(rest, evaluation))];
    }
    const rule = queue[place];
    if (rule === undefined) break;
    // yields after each rule: a single pattern may take half of the time until other tasks must get a turn
    if (place > 0) yield undefined;
    let outcome = evaluateRule(rule, evaluation, context, answered);
    if (rule.asksState.length > 0 && context.isUnread?.() === true) {
      yield keysOf(queue.slice(place), waiting, evaluation);
      evaluation.readAnew();
      outcome = evaluateRule(rule, evaluation, context, answered);
    }
    const answers = outcome.start !== undefined || outcome.notifies === true;
    if (answers && rule.group !== undefined) answered.set(rule.group, rule.id);
    outcomes.push(outcome);
  }
  return waiting === undefined ? outcomes : waiting.withBarred(outcomes);
}

/** Returns the keys of user state that rules may read while they are judged. */
function keysOf(
  rules: readonly CompiledRule[],
  waiting: WaitingRules | undefined,
  { event }: Evaluation,
): readonly string[] {
  const keys = new Set(waiting?.uses.map((use) => keyOf(use, event)));
  for (const { asksState } of rules) for (const use of asksState) keys.add(keyOf(use, event));
  return [...keys];
}

function evaluateRule(
  rule: CompiledRule,
  evaluation: Evaluation,
  context: JudgingContext,
  /** Ids of the rules that have answered the event, by group. */
  answered: ReadonlyMap<string, string>,
): RuleOutcome {
  const bar = barred(rule, evaluation, context, answered);
  if (bar !== undefined) return bar;
  evaluation.expose(rule.asksState);
  evaluation.ruleId = rule.id;
  const trigger = matchingTrigger(rule, evaluation);
  if ("outcome" in trigger) return trigger;
  const vars = evaluateVariables(rule, evaluation, trigger);
  if ("outcome" in vars) return vars;
  const failure = firstFailure(rule.conditions, evaluation, trigger);
  if (failure) return refused(rule, failure);
  if (rule.stage === "shadow") return { rule, outcome: "skipped", reason: "stage-shadow" };
  if (context.replayed === true && rule.onReplay === "notify") {
    return { rule, outcome: "skipped", reason: "replayed", notifies: true };
  }
  const captures = capturesOf(rule, evaluation, trigger);
  const slot = slotOf(rule, evaluation, trigger, captures);
  if ("outcome" in slot) return slot;
  const start = { trigger, ...vars, ...captures, ...slot };
  return { rule, outcome: "ran", reason: "matched", start };
}

/** Returns the name of the slot (concurrency limit) that the run would hold, computed from the rule's `key`. */
function slotOf(
  { mode, ...rule }: CompiledRule,
  evaluation: Evaluation,
  trigger: TriggerName,
  { captures = {} }: Pick<RunStart, "captures">,
): Pick<RunStart, "slot"> | RuleOutcome {
  const { event } = evaluation;
  if (mode === undefined) return {};
  if (mode.key === undefined) return { slot: slotName(rule.id, undefined, event) };
  const view = Object.assign(Object.create(null), evaluation.view(trigger), {
    captures: celData(captures),
  });
  const key = mode.key.render(view);
  const error = !key.ok
    ? key.error
    : key.value.length > LONGEST_KEY
      ? `a key has at most ${LONGEST_KEY} characters`
      : undefined;
  if (key.ok && error === undefined) return { slot: slotName(rule.id, key.value, event) };
  return refused({ mode, ...rule }, { path: "key", wanted: mode.key.source, error: error ?? "" });
}

function refused(rule: CompiledRule, failure: Failure): RuleOutcome {
  const reason = failure.error === undefined ? "condition" : "expression-error";
  return { rule, outcome: "no", reason, clause: failure };
}

/** Returns whether a trigger of the rule fits the event, before the conditions of the rule are evaluated. */
export function isTriggered(rule: CompiledRule, event: AccountEvent, now: number): boolean {
  return !("outcome" in matchingTrigger(rule, new Evaluation(event, now)));
}

/** Returns the trigger that starts a rule, or the outcome if no trigger does. */
function matchingTrigger(rule: CompiledRule, evaluation: Evaluation): TriggerName | RuleOutcome {
  const { triggers, direction } = evaluation.event;
  let failure: Failure | undefined;
  for (const one of rule.triggers) {
    if (one.direction !== direction || !triggers.includes(one.trigger)) continue;
    if (!isInScope(one.scope, evaluation.event)) continue;
    const failed = firstFailure(one.match, evaluation, one.name);
    if (!failed) return one.name;
    failure ??= failed;
  }
  return failure ? refused(rule, failure) : { rule, outcome: "skipped", reason: "own-event" };
}

function firstFailure(
  clauses: CompiledRule["conditions"],
  evaluation: Evaluation,
  trigger: TriggerName,
): Failure | undefined {
  for (const clause of clauses) {
    const failure = clause.test(evaluation, trigger);
    if (failure) return failure;
  }
  return undefined;
}

function evaluateVariables(
  rule: CompiledRule,
  evaluation: Evaluation,
  trigger: TriggerName,
): { readonly vars: Readonly<Record<string, Json>> } | RuleOutcome {
  const vars: Record<string, Json> = {};
  const seen = new Map<string, unknown>();
  evaluation.vars = seen;
  if (rule.variables.length === 0) return { vars };
  const view = evaluation.view(trigger);
  for (const { name, value } of rule.variables) {
    const outcome = value.value(view);
    const error = outcome.ok ? tooLarge(outcome.value) : outcome.error;
    if (!outcome.ok || error !== undefined) {
      const clause = { path: `variables.${name}`, wanted: value.source, error: error ?? "" };
      return { rule, outcome: "no", reason: "expression-error", clause };
    }
    vars[name] = outcome.value;
    seen.set(name, celOfType(outcome.value, value.type));
  }
  return { vars };
}

function tooLarge(value: Json): string | undefined {
  return isWithin(value, MAX_VARIABLE)
    ? undefined
    : `a variable holds at most ${MAX_VARIABLE} characters`;
}

/** Returns the captures of the trigger's and the conditions' patterns; absent without named groups. */
function capturesOf(
  rule: CompiledRule,
  evaluation: Evaluation,
  trigger: TriggerName,
): Pick<RunStart, "captures"> {
  const started = rule.triggers.find(({ name }) => name === trigger)?.match ?? [];
  const captureSources = [...started, ...rule.conditions].flatMap(({ captures }) => captures ?? []);
  if (captureSources.length === 0) return {};
  const captures = captureSources.flatMap((one) => Object.entries(one.of(evaluation, trigger)));
  return { captures: Object.fromEntries(captures) };
}
