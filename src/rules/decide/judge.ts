import type { Json } from "../../protocol/json.ts";
import type { InPieces } from "../../system/in-pieces.ts";
import type { CompiledRule } from "../ruleset.ts";
import type { Verdict } from "./decision.ts";
import type { Evaluation, Failure, TriggerName } from "./evaluation.ts";
import { LONGEST_KEY } from "./mode.ts";
import { keyOf, slotName } from "./state-keys.ts";
import { isWithin, MAX_VARIABLE } from "./value-size.ts";
import { celData, isoTime } from "./view.ts";

/** How the event came. */
interface Arrival {
  /** It came late: by replay or backfill. */
  readonly replayed?: boolean;
  /** Why rules are silent, but for those that interrupt. */
  readonly paused?: string;
  /** Handle of the account. */
  readonly username?: string | undefined;
  /** Whether user state was asked for that has not been read: what was said then holds for nothing. */
  readonly isUnread?: () => boolean;
}

/**
 * What rules say of one event, in order, each group answering once. Where one asks for user state that has not been
 * read, all is read that the others may ask for as well, and only that one is asked again.
 */
export function* judging(
  rules: readonly CompiledRule[],
  evaluation: Evaluation,
  context: Arrival,
): InPieces<readonly RuleOutcome[], readonly string[]> {
  const answered = new Map<string, string>();
  const outcomes: RuleOutcome[] = [];
  for (const [place, rule] of rules.entries()) {
    // each in a piece of its own: one pattern may take half as long as anything may hold the process
    if (place > 0) yield undefined;
    let outcome = evaluateRule(rule, evaluation, context, answered);
    if (rule.asksState.length > 0 && context.isUnread?.() === true) {
      yield keysOf(rules.slice(place), evaluation);
      evaluation.readAnew();
      outcome = evaluateRule(rule, evaluation, context, answered);
    }
    const answers = outcome.start !== undefined || outcome.notifies === true;
    if (answers && rule.group !== undefined) answered.set(rule.group, rule.id);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** The user state that rules may ask for while they are judged. */
function keysOf(rules: readonly CompiledRule[], { event }: Evaluation): readonly string[] {
  const keys = rules.flatMap(({ asksState }) => asksState.map((use) => keyOf(use, event)));
  return [...new Set(keys)];
}

/** What one rule says, and with what its run would start. */
export interface RuleOutcome extends Pick<Verdict, "outcome" | "reason" | "clause" | "until"> {
  readonly rule: CompiledRule;
  readonly start?: RunStart;
  /** It would have run, had the event not come late: a person is told instead. */
  readonly notifies?: true;
}

/** With what a run of the rule starts. */
export interface RunStart {
  readonly trigger: TriggerName;
  readonly vars: Readonly<Record<string, Json>>;
  /** Absent: no pattern of the rule has named groups. */
  readonly captures?: Readonly<Record<string, string>>;
  /** What its runs share whose key is the same. Absent: the rule has no mode. */
  readonly slot?: string;
}

function evaluateRule(
  rule: CompiledRule,
  evaluation: Evaluation,
  context: Arrival,
  /** Rules that have answered, by group. */
  answered: ReadonlyMap<string, string>,
): RuleOutcome {
  if (!rule.enabled) return { rule, outcome: "skipped", reason: "disabled" };
  if (rule.stage === "draft") return { rule, outcome: "skipped", reason: "stage-draft" };
  if (context.paused !== undefined && !rule.interrupts) return silent(rule, context.paused);
  if (!isFor(rule, evaluation, context)) return otherAccount(rule, evaluation, context);
  if (!isActive(rule, evaluation)) return inactive(rule, evaluation);
  const holder = holderOf(rule, answered);
  if (holder !== undefined) return groupTaken(rule, holder);
  const late = skipWhenLate(rule, evaluation, context);
  if (late) return late;
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

/** The slot that its run would hold, by the rule's key. */
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

function isFor({ account }: CompiledRule, { event }: Evaluation, { username }: Arrival): boolean {
  if (account === undefined || account === event.accountId) return true;
  return !/^\d+$/.test(account) && (username === undefined || account === username.toLowerCase());
}

function otherAccount(
  rule: CompiledRule,
  { event }: Evaluation,
  { username }: Arrival,
): RuleOutcome {
  const clause = {
    path: "account",
    wanted: rule.account ?? "",
    actual: username ?? event.accountId,
  };
  return { rule, outcome: "skipped", reason: "other-account", clause };
}

function isActive({ active }: CompiledRule, { event }: Evaluation): boolean {
  return active === undefined || (event.at >= active.from && event.at < active.to);
}

function inactive(rule: CompiledRule, { event }: Evaluation): RuleOutcome {
  const { from = NaN, to = NaN } = rule.active ?? {};
  const wanted = `from ${isoTime(from)} to ${isoTime(to)}`;
  const clause = { path: "active", wanted, actual: isoTime(event.at) };
  return { rule, outcome: "skipped", reason: "not-active", clause };
}

function silent(rule: CompiledRule, paused: string): RuleOutcome {
  const clause = { path: "interrupts", wanted: "true, since the bot is paused", actual: paused };
  return { rule, outcome: "skipped", reason: "paused", clause };
}

/**
 * The rule that has answered in the group. A fallback that names no group is for when nobody answers: there any
 * rule that answers holds it, of whatever file.
 */
function holderOf(
  { group, fallback, file }: CompiledRule,
  answered: ReadonlyMap<string, string>,
): string | undefined {
  if (group === undefined) return undefined;
  return (
    answered.get(group) ?? (fallback && group === file ? [...answered.values()][0] : undefined)
  );
}

function groupTaken(rule: CompiledRule, holder: string): RuleOutcome {
  const clause = { path: "group", wanted: `${rule.group} not yet answered`, actual: holder };
  return { rule, outcome: "skipped", reason: "group-already-matched", clause };
}

function refused(rule: CompiledRule, failure: Failure): RuleOutcome {
  const reason = failure.error === undefined ? "condition" : "expression-error";
  return { rule, outcome: "no", reason, clause: failure };
}

function skipWhenLate(
  rule: CompiledRule,
  { event, now }: Evaluation,
  context: Arrival,
): RuleOutcome | undefined {
  if (context.replayed === true && rule.onReplay !== "run") {
    // Whether a person is to be told is known once the rule has matched.
    return rule.onReplay === "skip" ? { rule, outcome: "skipped", reason: "replayed" } : undefined;
  }
  const isPassed = event.kind === "schedule" && event.passedByHand;
  const age = isPassed ? 0 : now - event.at;
  if (rule.maxAgeMs === undefined || age <= rule.maxAgeMs) return undefined;
  const wanted = `at most ${Math.round(rule.maxAgeMs / 1_000)} s old`;
  const clause = { path: "max_age", wanted, actual: Math.round(age / 1_000) };
  return { rule, outcome: "skipped", reason: "too-old", clause };
}

/** The name of the trigger that starts the rule; else why none does. */
function matchingTrigger(rule: CompiledRule, evaluation: Evaluation): TriggerName | RuleOutcome {
  const { event } = evaluation;
  let failure: Failure | undefined;
  let wrongWay: RuleOutcome | undefined;
  for (const one of rule.triggers) {
    if (!event.triggers.includes(one.trigger)) continue;
    if (one.direction !== event.direction) {
      const reason = event.direction === "outbound" ? "own-event" : "not-own-event";
      wrongWay = { rule, outcome: "skipped", reason };
      continue;
    }
    const failed = firstFailure(one.match, evaluation, one.name);
    if (!failed) return one.name;
    failure ??= failed;
  }
  return failure
    ? refused(rule, failure)
    : (wrongWay ?? { rule, outcome: "skipped", reason: "own-event" });
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
  const seen: Record<string, unknown> = Object.create(null);
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
    seen[name] = celData(outcome.value);
  }
  return { vars };
}

function tooLarge(value: Json): string | undefined {
  return isWithin(value, MAX_VARIABLE)
    ? undefined
    : `a variable holds at most ${MAX_VARIABLE} characters`;
}

/** What the patterns of the trigger and of the conditions captured; nothing where none has named groups. */
function capturesOf(
  rule: CompiledRule,
  evaluation: Evaluation,
  trigger: TriggerName,
): Pick<RunStart, "captures"> {
  const started = rule.triggers.find(({ name }) => name === trigger)?.match ?? [];
  const found = [...started, ...rule.conditions].flatMap(({ captures }) => captures ?? []);
  if (found.length === 0) return {};
  return { captures: Object.assign({}, ...found.map((one) => one.of(evaluation, trigger))) };
}
