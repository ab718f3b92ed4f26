import type { CountReached } from "../../../events/event.ts";
import { decide, type Decision, holdersAsJson, holdersIn } from "../../../rules/decide.ts";
import { keyOf, slotName } from "../../../rules/user-state.ts";
import { type RunState, answers } from "../../../rules/run.ts";
import type { CompiledRule } from "../../../rules/ruleset.ts";
import type { Entry } from "../../store/entry.ts";
import { escalationAt, escalationLine } from "../hand-over/escalation-at.ts";
import { type Interpretation, NOTHING, isOpen, joined } from "../lane-event.ts";
import type { Memory } from "../memory.ts";
import { endWhole, wholeRunAt } from "../parallel/whole-run.ts";
import { reachedBy } from "../kept-state.ts";
import { ownerOf, ownerOfRun, newPlace } from "../run-place.ts";
import { goOnAlone } from "../rule-run.ts";
import { type AtHand, contextOf, type Needs } from "../needs.ts";

/** Run that was started and continued as far as possible. */
export interface StartedRule {
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
    started.push({ rule, interpretation: all, counted, isOpen: open, answers: isAnswering });
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

/**
 * Starts the rules that the reached counts trigger. The runs of these rules may reach further counts, which are handled
 * likewise.
 */
export function followCounts(
  { event, entry, memory, paused }: AtHand,
  counting: readonly Pick<StartedRule, "counted">[],
  needs: Needs,
): Reached {
  const handOvers: Interpretation[] = [];
  const started: StartedRule[] = [];
  const ran: string[] = [];
  // Each counting step raises a count, so a count reaches a number only once and the loop ends.
  for (let queue = counting.flatMap(({ counted }) => counted); queue.length > 0;) {
    const [count, ...rest] = queue;
    queue = rest;
    if (count === undefined || needs.ruleset.candidates(["count.reached"]).length === 0) continue;
    const { read } = memory;
    const username = needs.usernameOf(entry.account);
    const context = { now: needs.now(), read, username, ...(paused !== undefined && { paused }) };
    const decision = decide(reachedBy(event, count), needs.ruleset, context);
    for (const change of decision.changes) memory.write(change);
    handOvers.push(overflowed(decision, { event, entry }, needs));
    const next = startRules(decision, entry, memory, needs);
    ran.push(...decision.runs.map(({ ruleId }) => ruleId));
    started.push(...next);
    queue = [...queue, ...next.flatMap(({ counted }) => counted)];
  }
  return { started, ran, handOvers };
}

/** Rules that were started because counts reached a number. */
interface Reached {
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
