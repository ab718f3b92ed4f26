import type { CountReached } from "../../../events/event.ts";
import type { Json } from "../../../protocol/json.ts";
import {
  decide,
  type Decision,
  holdersAsJson,
  holdersIn,
  isTriggered,
} from "../../../rules/decide.ts";
import { keyOf, slotName } from "../../../rules/user-state.ts";
import { type RunState, answers } from "../../../rules/run.ts";
import type { CompiledRule } from "../../../rules/ruleset.ts";
import type { Entry } from "../../store/entry.ts";
import { escalationAt, escalationLine } from "../hand-over/escalation-at.ts";
import { type Interpretation, NOTHING, isOpen, joined } from "../lane-event.ts";
import type { Memory } from "../memory.ts";
import { endWhole, wholeRunAt } from "../parallel/whole-run.ts";
import { type DecidedCount, reachedBy, withReached } from "../kept-state.ts";
import { ownerOf, ownerOfRun, newPlace } from "../run-place.ts";
import { goOnAlone } from "../rule-run.ts";
import { type AtHand, contextOf, type Needs } from "../needs.ts";

/** Run that was started and continued as far as possible. */
export interface StartedRule {
  /** Id of the run. */
  readonly run: string;
  /** Counts that reached a number by steps of this run. */
  readonly counted: readonly CountReached[];
  readonly rule: CompiledRule;
  readonly isOpen: boolean;
  readonly interpretation: Interpretation;
  /** Whether the run has queued an answer to the event or is working on one. */
  readonly answers: boolean;
}

/** Starts the runs of a decision. */
export function startRules(
  { runs }: Decision,
  entry: Entry,
  memory: Memory,
  needs: Needs,
): readonly StartedRule[] {
  const started: StartedRule[] = [];
  for (const run of runs) {
    const rule = needs.ruleset.byId.get(run.ruleId);
    if (rule === undefined) continue;
    const place = newPlace(
      entry,
      ownerOfRun(rule, run.event),
      run.revision,
      slotOf(run, rule, needs),
    );
    const replaced = run.slot === undefined ? [] : take(run.slot, run, rule, place.id, memory);
    // Requests all values that the rule's steps may read, so that they are loaded together.
    for (const use of rule.usesState) memory.read(keyOf(use, run.event));
    const interpretation = goOnAlone(run, rule, place, contextOf(rule, memory, needs));
    const open = isOpen(interpretation);
    const { counted } = interpretation;
    const isAnswering = open && answers(rule.actions);
    const all = joined([...replaced, interpretation]);
    const about = { run: place.id, rule, isOpen: open, answers: isAnswering };
    started.push({ ...about, interpretation: all, counted });
  }
  return started;
}

/**
 * Returns the concurrency slot of a run: the slot of the rule's `mode`. Without a mode, the slot for runs of the rule
 * and this person, if a `stop_run` step may end such runs.
 */
function slotOf(
  { slot, event }: RunState,
  { id }: CompiledRule,
  { ruleset }: Pick<Needs, "ruleset">,
): string | undefined {
  return slot ?? (ruleset.stoppable.has(id) ? slotName(id, undefined, event) : undefined);
}

/** Adds a run to its slot. With `mode: restart`, the runs that hold the slot end. */
function take(
  slot: string,
  { queuedUntil }: RunState,
  { mode }: CompiledRule,
  run: string,
  memory: Memory,
): readonly Interpretation[] {
  const holders = holdersIn(memory.read(slot));
  const own = { run, queues: queuedUntil !== undefined };
  const isAlone = mode?.mode === "restart";
  memory.write({ key: slot, value: holdersAsJson(isAlone ? [own] : [...holders, own]) });
  if (!isAlone) return [];
  const names = new Set(holders.map((one) => one.run));
  return memory
    .holders(slot)
    .filter(({ id }) => names.has(id))
    .map((earlier) => endWhole(wholeRunAt(earlier, memory), `${run} takes its place`));
}

/** Run whose steps may have raised counts. */
type CountingRun = Pick<StartedRule, "run" | "counted" | "interpretation">;

/**
 * Starts the rules that the reached counts trigger. The runs of these rules may reach further counts, which are handled
 * likewise.
 */
export function followCounts(
  hand: AtHand,
  counting: readonly CountingRun[],
  needs: Needs,
): Reached {
  const { event, entry, memory } = hand;
  const handOvers: Interpretation[] = [];
  const started: StartedRule[] = [];
  const ran: string[] = [];
  const decided = new Map<string, DecidedCount[]>();
  // Each counting step raises a count, so a count reaches a number only once and the loop ends.
  for (let queue = counting.flatMap(countsOf); queue.length > 0;) {
    const [first, ...rest] = queue;
    queue = rest;
    if (first === undefined || needs.ruleset.candidates([COUNT_REACHED]).length === 0) continue;
    const { decision, inputs } = decideOnCount(hand, first.count, needs);
    if (inputs !== undefined) decided.set(first.run, [...(decided.get(first.run) ?? []), inputs]);
    for (const change of decision.changes) memory.write(change);
    handOvers.push(overflowed(decision, { event, entry }, needs));
    const next = startRules(decision, entry, memory, needs);
    ran.push(...decision.runs.map(({ ruleId }) => ruleId));
    started.push(...next);
    queue = [...queue, ...next.flatMap(countsOf)];
  }
  const stored = <Run extends CountingRun>(one: Run): Run => ({
    ...one,
    interpretation: withReached(one.interpretation, one.run, decided.get(one.run)),
  });
  const counted = counting.map((one) => stored(one).interpretation);
  return { counting: counted, started: started.map(stored), ran, handOvers };
}

const COUNT_REACHED = "count.reached";

function countsOf({ run, counted }: CountingRun) {
  return counted.map((count) => ({ run, count }));
}

/**
 * Decides which rules a reached count starts.
 *
 * @returns The decision, and its inputs if a rule listens to this number of the count. The run that counted stores the
 *   inputs, so that the verdicts can be computed again.
 */
function decideOnCount(
  { event, entry, memory, paused }: AtHand,
  count: CountReached,
  needs: Needs,
): { readonly decision: Decision; readonly inputs?: DecidedCount } {
  const { ruleset } = needs;
  const now = needs.now();
  const values: Record<string, Json> = {};
  const read = (key: string): Json | undefined => {
    const value = memory.read(key);
    if (value !== undefined) values[key] = value;
    return value;
  };
  const username = needs.usernameOf(entry.account);
  const silence = paused !== undefined && { paused };
  const reached = reachedBy(event, count);
  const decision = decide(reached, ruleset, { now, read, username, ...silence });
  const isHeard = ruleset
    .candidates([COUNT_REACHED])
    .some((rule) => isTriggered(rule, reached, now));
  if (!isHeard) return { decision };
  const account = ruleset.namesAccounts && username !== undefined && { username };
  const state = Object.keys(values).length > 0 && { read: values };
  return { decision, inputs: { count, now, ...account, ...silence, ...state } };
}

/** Rules that were started because counts reached a number. */
interface Reached {
  /** Interpretations of the counting runs, whose stored states have the reached counts. */
  readonly counting: readonly Interpretation[];
  readonly started: readonly StartedRule[];
  /** Ids of the rules that ran. */
  readonly ran: readonly string[];
  /** Hand-overs to people because a rule reached its limit (`overflow: escalate`). */
  readonly handOvers: readonly Interpretation[];
}

/** Returns the hand-overs to people because rules reached their limits (`overflow: escalate`). */
export function overflowed(
  { overflows }: Decision,
  { event, entry }: Pick<AtHand, "event" | "entry">,
  { now }: Needs,
): Interpretation {
  const escalations = overflows.map(({ ruleId, revision, handOver }) => {
    const place = newPlace(entry, ownerOf(ruleId), revision);
    return escalationAt(place, handOver, { label: "limit", event, now: now() });
  });
  return { ...NOTHING, escalations, logs: escalations.map(escalationLine) };
}

/** Returns the rules whose runs have not ended. */
export function openRules(started: readonly StartedRule[]): readonly CompiledRule[] {
  return started.flatMap(({ rule, isOpen: open }) => (open ? [rule] : []));
}
