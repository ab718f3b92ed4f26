import { settle, timedOut, type RunState, type StepResult } from "../../../rules/run.ts";
import type { CompiledRule } from "../../../rules/ruleset.ts";
import { hasRoom, holdersAsJson, holdersIn } from "../../../rules/decide.ts";
import { keyOf } from "../../../rules/user-state.ts";
import type { RunAndEntry, StoredRun } from "../../store/run.ts";
import { saysMore, silenced, silencesRun, silentNow } from "../hand-over/silence.ts";
import { type Interpretation, type LaneEvent, NOTHING, joined } from "../lane-event.ts";
import { type Memory, remembering } from "../memory.ts";
import { LEFT_UNDER_WAY } from "../effect.ts";
import { goOn } from "../parallel/go-on.ts";
import {
  endedBy,
  endWhole,
  LEFT,
  othersAt,
  withBranches,
  wholeRun,
  endRun,
  reasonToEnd,
} from "../parallel/whole-run.ts";
import { trunkOf } from "../parallel/branch-owner.ts";
import { readState, withBegun } from "../kept-state.ts";
import { placeOf, writeAt } from "../run-place.ts";
import { contextOf, type Needs, readEvent, sourceOf } from "../needs.ts";
import { followCounts, openRules } from "./start-rules.ts";
import { resultOfRequest } from "../step-results.ts";

/** Applies the outcome of the step that a run waited for. */
type Ended = (state: RunState, rule: CompiledRule) => RunState;

/** Returns the function that stores `result` as the result of the step for which a run waited. */
export function settledBy(result: StepResult): Ended {
  return (state, rule) => settle(state, rule, result);
}

/**
 * Continues a rule's run. If the revision of the rule is no longer stored, the run fails.
 *
 * @param ended Applies the outcome of the run's step. Absent: the step's effect has no outcome yet and has to be
 *   performed again.
 */
export async function ruleGoesOn(
  { run, entry, silences = [] }: RunAndEntry & Pick<LaneEvent, "silences">,
  needs: Needs,
  ended?: Ended,
): Promise<Interpretation> {
  const place = placeOf(run, entry);
  const rule = await needs.archive.find(run.revision);
  if (rule === undefined) return failWithoutRule(run, entry, needs);
  const why = reasonToEnd(rule, needs);
  if (why !== undefined) return endWhole(await wholeRun(run, needs.store), why);
  const event = readEvent(entry, needs);
  const state = readState(run, event);
  const now = needs.now();
  const paused = silencesRun(silentNow({ silences }, now), run, rule);
  const { interpretation, open } = await remembering(needs.store, now, async (memory) => {
    await memory.load(rule.usesState.map((use) => keyOf(use, state.event)));
    if (!mayBegin(state, rule, run.id, memory)) {
      const next =
        now < (state.queuedUntil ?? now)
          ? goOn(state, rule, place, contextOf(rule, memory, needs))
          : endRun(run, TOO_LATE);
      return { interpretation: { ...next, slots: memory.slots() }, open: [] };
    }
    const others = state.parallel === undefined ? [] : othersAt(run, memory);
    const at = withBranches(state, others);
    const from = begunState(at, now) ?? ended?.(at, rule) ?? at;
    if (paused !== undefined) {
      const tried = goOn(from, rule, place, contextOf(rule, memory.apart(), needs));
      if (saysMore(tried)) {
        const others = othersAt(run, memory);
        return { interpretation: silenced(run, entry, paused, others), open: [] };
      }
    }
    const next = goOn(from, rule, place, contextOf(rule, memory, needs));
    const over = endWhole(others, LEFT);
    const own = { run: run.id, interpretation: next, counted: next.counted };
    const hand = { event, entry, memory, paused };
    const { counting, started, handOvers } = followCounts(hand, [own], needs);
    const all = joined([
      ...counting,
      over,
      ...started.map((one) => one.interpretation),
      ...handOvers,
      ...endedBy(memory),
    ]);
    const stored = { state: memory.writes(), slots: memory.slots() };
    return { interpretation: { ...all, ...stored }, open: openRules(started) };
  });
  if (ended === undefined && isBegun(state, interpretation)) {
    const result = settledBy(resultOfRequest(LEFT_UNDER_WAY));
    return ruleGoesOn({ run, entry, silences }, needs, result);
  }
  // Without an outcome nothing is stored: only the effect of the run's step is performed again.
  return ended === undefined
    ? { ...NOTHING, effects: again(interpretation, run.version) }
    : { ...interpretation, sources: open.flatMap((one) => sourceOf(one, needs)) };
}

async function failWithoutRule(
  run: StoredRun,
  entry: RunAndEntry["entry"],
  needs: Needs,
): Promise<Interpretation> {
  const reason = `the rule's revision ${run.revision} is neither in use nor kept`;
  const fields = { run: run.id, event: entry.key, reason };
  const runs = (await wholeRun(run, needs.store)).map((one) => {
    const state = readState(one, readEvent(entry, needs));
    const body = { ...state, ended: { outcome: "failed", reason }, event: undefined };
    return writeAt(placeOf(one, entry), "failed", JSON.stringify(body));
  });
  return { ...NOTHING, runs, logs: [{ level: "error", fields, message: "run failed" }] };
}

/** Whether the run is at a request that must not be sent twice and that an earlier process has begun. */
function isBegun({ sentOnce }: RunState, { effects }: Interpretation): boolean {
  return effects.some(
    (one) => one.kind === "http" && one.once !== undefined && one.once === sentOnce,
  );
}

/** Records that a request is about to be sent: from now on it may have arrived. */
export function requestBegins({ run, entry, key }: RunAndEntry & { key: string }): Interpretation {
  const { listens = false, waitsFor } = run;
  const write = writeAt(placeOf(run, entry), "ready", withBegun(run, key), { listens, waitsFor });
  return { ...NOTHING, runs: [write] };
}

const TOO_LATE = "its turn did not come in a day";

/** Whether a run may begin: it is not queued, or its slot has room. A queued run then becomes a holder of the slot. */
function mayBegin(
  { queuedUntil, slot }: RunState,
  { mode }: CompiledRule,
  id: string,
  memory: Memory,
): boolean {
  if (queuedUntil === undefined || slot === undefined || mode === undefined) return true;
  const holders = holdersIn(memory.read(slot));
  const others = holders.filter(({ run }) => run !== id);
  if (!hasRoom(mode, others)) return false;
  memory.write({ key: slot, value: holdersAsJson([...others, { run: id, queues: false }]) });
  return true;
}

/**
 * Returns the state of a run that was queued or delayed: it starts now, or still waits until its rule's limit allows
 * the start. Undefined if the run has started already.
 */
function begunState(state: RunState, now: number): RunState | undefined {
  const { startsAt, queuedUntil, ...begun } = state;
  if (startsAt === undefined && queuedUntil === undefined) return undefined;
  const waits = queuedUntil !== undefined && startsAt !== undefined && startsAt > now;
  return waits ? { ...begun, startsAt } : begun;
}

/** Returns the effects of a run at its stored version, because the run itself is not written. */
function again({ effects }: Interpretation, version: number): Interpretation["effects"] {
  return effects.map((effect) => ({ ...effect, run: { ...effect.run, version } }));
}

/** Times out a run at its deadline: cancels what the run waits for, and withdraws its unsent items. */
export async function runOverdue(happened: RunAndEntry, needs: Needs): Promise<Interpretation> {
  const { run, entry } = happened;
  const { ended, position } = readState(run, readEvent(entry, needs));
  if (ended !== undefined || position[0] === "on_error") return NOTHING;
  const late = await ruleGoesOn(happened, needs, timedOut);
  const cancelled = run.waitsFor === undefined ? [] : [run.waitsFor];
  return { ...late, cancelled: [...late.cancelled, ...cancelled], withdrawn: [run.id] };
}

/** Ends a run whose rule was changed or removed, unless the rule lets its runs finish. */
export async function ruleChanged({ run }: RunAndEntry, needs: Needs): Promise<Interpretation> {
  const rule = await needs.archive.find(run.revision);
  const why = rule && reasonToEnd(rule, needs);
  // A branch ends together with the run that it belongs to.
  if (why === undefined || trunkOf(run.id) !== undefined) return NOTHING;
  return endWhole(await wholeRun(run, needs.store), why);
}
