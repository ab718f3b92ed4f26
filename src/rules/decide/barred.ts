import type { CompiledRule } from "../ruleset.ts";
import type { Evaluation } from "../evaluation/evaluation.ts";
import type { JudgingContext, RuleOutcome } from "./rule-outcome.ts";
import { isInScope } from "../../events/conversation.ts";
import { isoTime } from "../expression/view.ts";

/**
 * Returns the outcome if a rule can't answer an event, whatever its conditions are; otherwise `undefined`.
 *
 * @param answered Ids of the rules that have answered the event, by group.
 */
export function barred(
  rule: CompiledRule,
  evaluation: Evaluation,
  context: JudgingContext,
  answered: ReadonlyMap<string, string>,
): RuleOutcome | undefined {
  if (!rule.enabled) return { rule, outcome: "skipped", reason: "disabled" };
  if (rule.stage === "draft") return { rule, outcome: "skipped", reason: "stage-draft" };
  if (context.paused !== undefined && !rule.interrupts) return silent(rule, context.paused);
  if (!isFor(rule, evaluation, context)) return otherAccount(rule, evaluation, context);
  if (!isActive(rule, evaluation)) return inactive(rule, evaluation);
  const unfit =
    skipWhenLate(rule, evaluation, context) ??
    wrongWay(rule, evaluation) ??
    elsewhere(rule, evaluation);
  if (unfit !== undefined) return unfit;
  // Checked last: all other reasons are the same for all rules with the same `barName`.
  const holder = holderOf(rule, answered);
  return holder === undefined ? undefined : groupTaken(rule, holder);
}

/**
 * Returns a key of everything that {@link barred} reads of an enabled rule. Rules with the same key are barred alike.
 */
export function barName(rule: CompiledRule): string {
  const { group, fallback, file, interrupts, account, active, maxAgeMs, onReplay } = rule;
  const answersLast = fallback && group === file;
  const heard = rule.triggers.map(({ trigger, direction, scope }) => [trigger, direction, scope]);
  return JSON.stringify([
    [group, answersLast, interrupts],
    [account, active, maxAgeMs, onReplay],
    heard,
  ]);
}

function isFor(
  { account }: CompiledRule,
  { event }: Evaluation,
  { username }: JudgingContext,
): boolean {
  if (account === undefined || account === event.accountId) return true;
  return !/^\d+$/.test(account) && (username === undefined || account === username.toLowerCase());
}

function otherAccount(
  rule: CompiledRule,
  { event }: Evaluation,
  { username }: JudgingContext,
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
 * Returns the id of the rule that has already answered for the group of this rule. For a fallback without a named
 * group, an answer by any rule of any file counts.
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

function skipWhenLate(
  rule: CompiledRule,
  { event, now }: Evaluation,
  context: JudgingContext,
): RuleOutcome | undefined {
  if (context.replayed === true && rule.onReplay !== "run") {
    // `on_replay: notify` applies only to rules that match, so it is decided later
    return rule.onReplay === "skip" ? { rule, outcome: "skipped", reason: "replayed" } : undefined;
  }
  const isPassed = event.kind === "schedule" && event.passedByHand;
  const age = isPassed ? 0 : now - event.at;
  if (rule.maxAgeMs === undefined || age <= rule.maxAgeMs) return undefined;
  const wanted = `at most ${Math.round(rule.maxAgeMs / 1_000)} s old`;
  const clause = { path: "max_age", wanted, actual: Math.round(age / 1_000) };
  return { rule, outcome: "skipped", reason: "too-old", clause };
}

/** Skips a rule if the event's direction fits none of its triggers. */
function wrongWay(rule: CompiledRule, { event }: Evaluation): RuleOutcome | undefined {
  const { triggers, direction } = event;
  for (const one of rule.triggers) {
    if (one.direction === direction && triggers.includes(one.trigger)) return undefined;
  }
  const reason = direction === "outbound" ? "own-event" : "not-own-event";
  return { rule, outcome: "skipped", reason };
}

/** Skips a rule if its triggers for the event's direction are for other kinds of conversations. */
function elsewhere(rule: CompiledRule, { event }: Evaluation): RuleOutcome | undefined {
  if (event.kind !== "message") return undefined;
  const { triggers, direction, message } = event;
  const heard = rule.triggers.filter(
    (one) => one.direction === direction && triggers.includes(one.trigger),
  );
  if (heard.some(({ scope }) => isInScope(scope, event))) return undefined;
  const wanted = `in: ${message.conversationKind}`;
  const actual = `in: ${[...new Set(heard.map(({ scope }) => scope))].join(", ")}`;
  const clause = { path: "triggers", wanted, actual };
  return { rule, outcome: "skipped", reason: "other-conversation", clause };
}
