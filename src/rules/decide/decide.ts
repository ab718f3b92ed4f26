import type { AccountEvent } from "../../events/event.ts";
import { type InPieces, inOnePiece } from "../../system/in-pieces.ts";
import { allow } from "./limit.ts";
import { admit, holdersIn, QUEUE_LIFE_MS } from "./mode.ts";
import { cooldownKey, formerSlotName, keyOf, limitKey, overflowKey } from "../schema/state-keys.ts";
import type { Decision, Overflow, StateChange, Verdict } from "./decision.ts";
import { Evaluation, type Failure } from "../evaluation/evaluation.ts";
import { judging } from "./judge.ts";
import type { RuleOutcome, RunStart } from "./rule-outcome.ts";
import { isoTime } from "../expression/view.ts";
import type { CompiledRule, Ruleset } from "../ruleset.ts";
import type { RunState } from "../run/run-state.ts";
import type { Json } from "../../protocol/json.ts";
import { counted } from "../../text/counted.ts";
import { durationText } from "../../text/duration-text.ts";

/** Inputs of a decision besides the event and the rules. */
export interface DecideContext {
  /** Time of the decision, in milliseconds since the epoch. */
  readonly now: number;
  /** Whether the event comes from a replay or a backfill. */
  readonly replayed?: boolean;
  /** Reason why the bot is paused, so that only rules with `interrupts` run: `escalation 12`. */
  readonly paused?: string;
  /** Handle of the account. If it is unknown, rules for any handle may run. */
  readonly username?: string | undefined;
  /** Reads user state that earlier decisions wrote. Absent: there is no user state. */
  readonly read?: (key: string) => Json | undefined;
  /** Returns whether `read` was called for a key that is not loaded yet; `matching` then yields the keys to load. */
  readonly isUnread?: () => boolean;
}

/**
 * Decides which rules an event starts.
 *
 * Pure: the same event, rules, time and state give the same decision. Never throws. The decision omits the outcomes of
 * rules that the index excludes; {@link explain} returns a verdict for every rule.
 */
export function decide(event: AccountEvent, ruleset: Ruleset, context: DecideContext): Decision {
  return settleCooldowns(match(event, ruleset, context), context.read);
}

/** Result of matching rules with an event, before the check of cooldowns and limits. */
export interface Matching {
  /** Revision of the ruleset. */
  readonly revision: string;
  readonly evaluation: Evaluation;
  /** The rules that were judged, in order. */
  readonly judged: readonly RuleOutcome[];
  /** Number of rules with a trigger for the event that were not judged: the index shows that they can't match. */
  readonly ruledOut: number;
}

function match(event: AccountEvent, ruleset: Ruleset, context: DecideContext): Matching {
  return inOnePiece(matching(event, ruleset, context));
}

/**
 * Finds the matching rules: the first half of a decision. It ignores cooldowns, since a rule in its cooldown still
 * counts as the answer of its group. {@link settleCooldowns} is the second half.
 *
 * Runs in short pieces, since many patterns on a long message take a while. If user state is not loaded, it yields the
 * keys of this state; the caller loads them and continues.
 */
export function* matching(
  event: AccountEvent,
  ruleset: Ruleset,
  context: DecideContext,
): InPieces<Matching, readonly string[]> {
  const evaluation = new Evaluation(event, context.now, context.read);
  const { rules, byState, listening } = yield* ruleset.survivors(evaluation);
  const judged = yield* judging(rules, evaluation, context, byState);
  return {
    revision: ruleset.revision,
    evaluation,
    judged,
    ruledOut: listening - judged.length,
  };
}

/** Returns the keys of the user state that {@link settleCooldowns} and the started runs read. */
export function stateKeys({ judged, evaluation: { event } }: Matching): string[] {
  return judged.flatMap(({ rule, start }) =>
    start === undefined
      ? []
      : [
          ...idsOf(rule).flatMap((id) => heldBackKeys(id, rule, event)),
          ...(start.slot === undefined ? [] : slotsOf(rule, start.slot)),
          ...rule.usesState.map((use) => keyOf(use, event)),
        ],
  );
}

function heldBackKeys(
  id: string,
  { cooldown, limit }: CompiledRule,
  event: AccountEvent,
): readonly string[] {
  return [
    ...(cooldown ? [cooldownKey(id, cooldown.per, event)] : []),
    ...(limit ? [limitKey(id, limit.per, event)] : []),
    ...(limit?.overflow === "escalate" ? [overflowKey(id, limit.per, event)] : []),
  ];
}

/** Ids under which state of a rule may be stored. New state is stored under the current id. */
function idsOf({ id, formerly }: CompiledRule): readonly string[] {
  return [id, ...formerly];
}

/**
 * Returns the names that a slot of a rule may have in the store: with the rule's current id and with its former ids.
 */
function slotsOf({ id, formerly }: CompiledRule, slot: string): readonly string[] {
  return [slot, ...formerly.map((former) => formerSlotName(slot, id, former))];
}

/** Returns the latest of the times stored under the current and former ids of a rule. */
function latest(
  rule: CompiledRule,
  keyUnder: (id: string) => string,
  read: DecideContext["read"],
): number | undefined {
  const times = idsOf(rule)
    .map((id) => read?.(keyUnder(id)))
    .filter((time) => typeof time === "number");
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Starts the matching rules that no cooldown, limit or mode holds back: the second half of a decision. */
export function settleCooldowns(
  { revision, evaluation, judged, ruledOut }: Matching,
  read?: DecideContext["read"],
): Decision {
  const runs: RunState[] = [];
  const changes: StateChange[] = [];
  const overflows: Overflow[] = [];
  const outcomes = judged.map((one) => {
    if (one.notifies === true) overflows.push(late(one.rule, evaluation));
    if (one.start === undefined) return one;
    const cooling = coolingDown(one.rule, evaluation, read);
    if (cooling) return cooling;
    const place = placeOf(one.rule, one.start, evaluation, read);
    if ("outcome" in place) return place;
    const turn = turnOf(one.rule, evaluation, read);
    if ("outcome" in turn) {
      const overflowResult = overflow(one.rule, evaluation, read);
      overflows.push(...overflowResult.overflows);
      changes.push(...overflowResult.changes);
      return turn;
    }
    runs.push({ ...newRun(one.rule, evaluation, one.start), ...place, ...turn.starts });
    changes.push(...cooldownStart(one.rule, evaluation), ...turn.changes);
    return one;
  });
  return { revision, runs, changes, overflows, judged: outcomes, ruledOut };
}

/** Returns the verdict of every rule with a trigger for the event, in order, with the first clause that failed. */
export function explain(
  event: AccountEvent,
  ruleset: Ruleset,
  context: DecideContext,
): readonly Verdict[] {
  const evaluation = new Evaluation(event, context.now, context.read);
  return inOnePiece(judging(ruleset.candidates(event.triggers), evaluation, context)).map(
    (judged) => {
      const { rule, outcome, reason, clause, until } = judged.start
        ? heldBack(judged, evaluation, context.read)
        : judged;
      const { id: ruleId, revision, file, line } = rule;
      const verdict = { ruleId, revision, file, line, outcome, reason };
      return {
        ...verdict,
        ...(clause !== undefined && { clause: inFull(clause) }),
        ...(until !== undefined && { until }),
      };
    },
  );
}

/** Copies a failure as plain data, including the text of the condition, which is otherwise built on demand. */
function inFull({ path, wanted, actual, error }: Failure): Failure {
  return {
    path,
    wanted,
    ...(actual === undefined ? {} : { actual }),
    ...(error === undefined ? {} : { error }),
  };
}

function coolingDown(
  rule: CompiledRule,
  { event, now }: Evaluation,
  read: DecideContext["read"],
): RuleOutcome | undefined {
  if (!rule.cooldown) return undefined;
  const { per } = rule.cooldown;
  const last = latest(rule, (id) => cooldownKey(id, per, event), read);
  if (last === undefined || now - last >= rule.cooldown.forMs) return undefined;
  const wanted = `once in ${Math.round(rule.cooldown.forMs / 1_000)} s per ${rule.cooldown.per}`;
  const actual = `ran ${Math.round((now - last) / 1_000)} s before`;
  const clause = { path: "cooldown", wanted, actual };
  const until = last + rule.cooldown.forMs;
  return { rule, outcome: "skipped", reason: "cooldown", clause, until };
}

function cooldownStart(rule: CompiledRule, { event, now }: Evaluation): readonly StateChange[] {
  if (!rule.cooldown) return [];
  const { per, forMs } = rule.cooldown;
  return [{ key: cooldownKey(rule.id, per, event), value: now, expiresAt: now + forMs }];
}

/**
 * Returns the slot (concurrency limit) that the run takes under the rule's `mode` and `key`, or the outcome if the slot
 * is full. While runs from before a renaming of the rule hold a slot, new runs share that slot.
 */
function placeOf(
  rule: CompiledRule,
  { slot }: RunStart,
  { now }: Evaluation,
  read: DecideContext["read"],
): RuleOutcome | Pick<RunState, "slot" | "queuedUntil"> {
  if (rule.mode === undefined || slot === undefined) return {};
  const slots = slotsOf(rule, slot).map((name) => ({ name, holders: holdersIn(read?.(name)) }));
  const held = slots.findLast(({ holders }) => holders.length > 0) ?? { name: slot, holders: [] };
  const admission = admit(rule.mode, held.holders);
  if (admission === "starts") return { slot: held.name };
  if (admission === "queues") return { slot: held.name, queuedUntil: now + QUEUE_LIFE_MS };
  const { refused: reason, wanted, actual } = admission;
  return { rule, outcome: "skipped", reason, clause: { path: "mode", wanted, actual } };
}

/** Returns the time at which the run may start under the rule's limit, or the reason why it may not start. */
function turnOf(
  rule: CompiledRule,
  { event, now }: Evaluation,
  read: DecideContext["read"],
):
  | RuleOutcome
  | {
      readonly starts: Pick<RunState, "startsAt">;
      readonly changes: readonly StateChange[];
    } {
  const { limit } = rule;
  if (!limit) return NO_LIMIT;
  const key = limitKey(rule.id, limit.per, event);
  // the value under the current id already contains the values under former ids
  const storedTimes = idsOf(rule).map((id) => read?.(limitKey(id, limit.per, event)));
  const last = storedTimes.find((times) => times !== undefined);
  const allowed = allow(limit, last, now);
  if ("refused" in allowed) {
    const { max, inMs, per } = limit;
    const wanted = `at most ${counted(max, "time")} in ${Math.round(inMs / 1_000)} s per ${per}`;
    const clause = { path: "limit", wanted, actual: allowed.refused };
    return { rule, outcome: "skipped", reason: "limit", clause };
  }
  const { startsAt, times } = allowed;
  return {
    starts: startsAt > now ? { startsAt } : {},
    changes: [{ key, value: times, expiresAt: (times.at(-1) ?? now) + limit.inMs }],
  };
}

/** Escalates to a person that the rule has reached its limit, at most once per period of the limit. */
function overflow(
  rule: CompiledRule,
  { event, now }: Evaluation,
  read: DecideContext["read"],
): Pick<Decision, "overflows" | "changes"> {
  const { id, revision, limit } = rule;
  if (limit?.overflow !== "escalate") return NOT_TOLD;
  const { per, max, inMs, queue = "limits" } = limit;
  const key = overflowKey(id, per, event);
  const last = latest(rule, (one) => overflowKey(one, per, event), read);
  if (last !== undefined && now - last < inMs) return NOT_TOLD;
  const note = `${id} has run ${counted(max, "time")} in ${durationText(inMs)}, which is its limit: from now on it does not run until less is in that time`;
  const handOver = { queue, priority: "normal", note } as const;
  return {
    overflows: [{ ruleId: id, revision, handOver }],
    changes: [{ key, value: now, expiresAt: now + inMs }],
  };
}

/** Returns the escalation of an event that came late. */
function late({ id, revision }: CompiledRule, { event }: Evaluation): Overflow {
  const note = `${id} would have run for what happened at ${isoTime(event.at)}, but it came late`;
  return { ruleId: id, revision, handOver: { queue: "replayed", priority: "normal", note } };
}

const NOT_TOLD = { overflows: [], changes: [] };

const NO_LIMIT = { starts: {}, changes: [] };

/** Returns the outcome of a matching rule: it runs, or its cooldown, mode or limit holds it back. */
function heldBack(
  judged: RuleOutcome,
  evaluation: Evaluation,
  read: DecideContext["read"],
): RuleOutcome {
  const cooling = coolingDown(judged.rule, evaluation, read);
  if (cooling || judged.start === undefined) return cooling ?? judged;
  const place = placeOf(judged.rule, judged.start, evaluation, read);
  if ("outcome" in place) return place;
  const turn = turnOf(judged.rule, evaluation, read);
  return "outcome" in turn ? turn : judged;
}

function newRun(
  rule: CompiledRule,
  { event, now }: Evaluation,
  { trigger, vars, captures }: RunStart,
): RunState {
  return {
    ruleId: rule.id,
    revision: rule.revision,
    event,
    trigger,
    startedAt: now,
    vars,
    ...(captures === undefined ? {} : { captures }),
    position: ["actions", 0],
    results: {},
  };
}
