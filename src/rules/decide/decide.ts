import type { AccountEvent } from "../../events/event.ts";
import { cooldownKey } from "./cooldown.ts";
import type { Decision, StateChange, Verdict, VerdictReason } from "./decision.ts";
import { Evaluation, type Failure, type TriggerName } from "./evaluation.ts";
import type { CompiledRule, Ruleset } from "../ruleset.ts";
import type { RunState } from "../run/run-state.ts";
import type { Json } from "../../protocol/json.ts";
import { celData, jsonOf } from "./view.ts";

/** What deciding may look at besides the event and the rules. */
export interface DecideContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The event came late: by replay or backfill. */
  readonly replayed?: boolean;
  /** Reads state that an earlier decision changed. Without it nothing was ever changed. */
  readonly read?: (key: string) => Json | undefined;
}

/**
 * Decides which rules an event starts, and why the others stay silent.
 *
 * Pure: the same event, rules, time and state give the same decision. Never throws.
 */
export function decide(event: AccountEvent, ruleset: Ruleset, context: DecideContext): Decision {
  const evaluation = new Evaluation(event, context.now);
  const answered = new Map<string, string>();
  const verdicts: Verdict[] = [];
  const runs: RunState[] = [];
  const changes: StateChange[] = [];
  for (const rule of ruleset.candidates(event.triggers)) {
    const { outcome, reason, clause, run, change } = evaluateRule(
      rule,
      evaluation,
      context,
      answered,
    );
    // written out: a spread here costs more than everything that led to it
    const { id: ruleId, revision, file, line } = rule;
    verdicts.push(
      clause
        ? { ruleId, revision, file, line, outcome, reason, clause }
        : { ruleId, revision, file, line, outcome, reason },
    );
    if (run) runs.push(run);
    if (change) changes.push(change);
    const holdsGroup = outcome === "ran" || reason === "cooldown";
    if (holdsGroup && rule.group !== undefined) answered.set(rule.group, rule.id);
  }
  return { revision: ruleset.revision, verdicts, runs, changes };
}

interface RuleOutcome {
  readonly outcome: Verdict["outcome"];
  readonly reason: VerdictReason;
  readonly clause?: Failure;
  readonly run?: RunState;
  readonly change?: StateChange | undefined;
}

function evaluateRule(
  rule: CompiledRule,
  evaluation: Evaluation,
  context: DecideContext,
  /** Rules that have answered, by group. */
  answered: ReadonlyMap<string, string>,
): RuleOutcome {
  if (!rule.enabled) return DISABLED;
  if (rule.stage === "draft") return DRAFT;
  const holder = rule.group === undefined ? undefined : answered.get(rule.group);
  if (holder !== undefined) return groupTaken(rule, holder);
  const late = skipWhenLate(rule, evaluation, context);
  if (late) return late;
  const trigger = matchingTrigger(rule, evaluation);
  if ("outcome" in trigger) return trigger;
  for (const clause of rule.conditions) {
    const failure = clause.test(evaluation, trigger);
    if (failure) return refused(failure);
  }
  const vars = evaluateVariables(rule, evaluation, trigger);
  if ("outcome" in vars) return vars;
  if (rule.stage === "shadow") return SHADOW;
  const cooling = coolingDown(rule, evaluation, context);
  if (cooling) return cooling;
  return {
    outcome: "ran",
    reason: "matched",
    run: newRun(rule, evaluation, trigger, vars.vars),
    change: cooldownStart(rule, evaluation),
  };
}

const DISABLED: RuleOutcome = { outcome: "skipped", reason: "disabled" };
const DRAFT: RuleOutcome = { outcome: "skipped", reason: "stage-draft" };
const SHADOW: RuleOutcome = { outcome: "skipped", reason: "stage-shadow" };

function groupTaken(rule: CompiledRule, holder: string): RuleOutcome {
  const clause = { path: "group", wanted: `${rule.group} not yet answered`, actual: holder };
  return { outcome: "skipped", reason: "group-already-matched", clause };
}

function refused(failure: Failure): RuleOutcome {
  const reason = failure.error === undefined ? "condition" : "expression-error";
  return { outcome: "no", reason, clause: failure };
}

function skipWhenLate(
  rule: CompiledRule,
  { event, now }: Evaluation,
  context: DecideContext,
): RuleOutcome | undefined {
  if (context.replayed === true && rule.onReplay === "skip") {
    return { outcome: "skipped", reason: "replayed" };
  }
  const age = now - event.at;
  if (rule.maxAgeMs === undefined || age <= rule.maxAgeMs) return undefined;
  const wanted = `at most ${Math.round(rule.maxAgeMs / 1_000)} s old`;
  const clause = { path: "max_age", wanted, actual: Math.round(age / 1_000) };
  return { outcome: "skipped", reason: "too-old", clause };
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
      wrongWay = { outcome: "skipped", reason };
      continue;
    }
    const failed = firstFailure(one.match, evaluation, one.name);
    if (!failed) return one.name;
    failure ??= failed;
  }
  return failure ? refused(failure) : (wrongWay ?? { outcome: "skipped", reason: "own-event" });
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
  if (rule.variables.length === 0) return { vars };
  const seen: Record<string, unknown> = Object.create(null);
  const view = { ...evaluation.view(trigger), vars: seen };
  for (const { name, expression } of rule.variables) {
    const outcome = expression.evaluate(view);
    if (!outcome.ok) {
      const clause = { path: `variables.${name}`, wanted: expression.source, error: outcome.error };
      return { outcome: "no", reason: "expression-error", clause };
    }
    vars[name] = jsonOf(outcome.value);
    seen[name] = celData(vars[name]);
  }
  return { vars };
}

function coolingDown(
  rule: CompiledRule,
  { event, now }: Evaluation,
  context: DecideContext,
): RuleOutcome | undefined {
  if (!rule.cooldown) return undefined;
  const last = context.read?.(cooldownKey(rule.id, rule.cooldown.per, event));
  if (typeof last !== "number" || now - last >= rule.cooldown.forMs) return undefined;
  const wanted = `once in ${Math.round(rule.cooldown.forMs / 1_000)} s per ${rule.cooldown.per}`;
  const actual = `ran ${Math.round((now - last) / 1_000)} s before`;
  return { outcome: "skipped", reason: "cooldown", clause: { path: "cooldown", wanted, actual } };
}

function cooldownStart(rule: CompiledRule, { event, now }: Evaluation): StateChange | undefined {
  if (!rule.cooldown) return undefined;
  const { per, forMs } = rule.cooldown;
  return { key: cooldownKey(rule.id, per, event), value: now, expiresAt: now + forMs };
}

function newRun(
  rule: CompiledRule,
  { event, now }: Evaluation,
  trigger: TriggerName,
  vars: Readonly<Record<string, Json>>,
): RunState {
  return {
    ruleId: rule.id,
    revision: rule.revision,
    event,
    trigger,
    startedAt: now,
    vars,
    position: ["actions", 0],
    results: {},
  };
}
