import { settle } from "../../../rules/run/advance.ts";
import { timedOut } from "../../../rules/run/moves.ts";
import type { RunState, StepResult } from "../../../rules/run/run-state.ts";
import type { CompiledRule } from "../../../rules/ruleset.ts";
import { keyOf } from "../../../rules/decide/state-keys.ts";
import type { RunAndEntry } from "../../store/run.ts";
import { saysMore, silenced, silencesRun, silentNow } from "../hand-over/silence.ts";
import { type Interpretation, type LaneEvent, NOTHING } from "../lane-event.ts";
import { remembering } from "../memory.ts";
import { goOn, readState } from "../rule-run.ts";
import { placeOf, writeAt } from "../run-place.ts";
import { endRun, outdated } from "./end-run.ts";
import { joined } from "./joined.ts";
import { contextOf, type Needs, readEvent, sourceOf } from "./needs.ts";
import { followCounts, openRules } from "./start-rules.ts";

/** What has become of the step that a run waited for. */
type Ended = (state: RunState, rule: CompiledRule) => RunState;

/** A step has ended with `result`. */
export function settledBy(result: StepResult): Ended {
  return (state, rule) => settle(state, rule, result);
}

/** Takes a rule's run on; one whose rule can't be had any more fails, and says why. */
export async function ruleGoesOn(
  { run, entry, silences = [] }: RunAndEntry & Pick<LaneEvent, "silences">,
  needs: Needs,
  ended?: Ended,
): Promise<Interpretation> {
  const place = placeOf(run, entry);
  const rule = await needs.archive.find(run.revision);
  if (rule === undefined) {
    const reason = `the rule's revision ${run.revision} is neither in use nor kept`;
    const state = {
      ...readState(run, readEvent(entry, needs)),
      ended: { outcome: "failed", reason },
    };
    const fields = { run: run.id, event: entry.key, reason };
    return {
      ...NOTHING,
      runs: [writeAt(place, "failed", JSON.stringify({ ...state, event: undefined }))],
      logs: [{ level: "error", fields, message: "run failed" }],
    };
  }
  const why = outdated(rule, needs);
  if (why !== undefined) return endRun(run, why);
  const event = readEvent(entry, needs);
  const state = readState(run, event);
  const { startsAt, ...begun } = state;
  // Of a run that waited for its turn, no step has been begun.
  const from = startsAt !== undefined ? begun : ended === undefined ? state : ended(state, rule);
  const paused = silencesRun(silentNow({ silences }, needs.now()), run, rule);
  const { interpretation, open } = await remembering(needs.store, needs.now(), async (memory) => {
    await memory.load(rule.usesState.map((use) => keyOf(use, state.event)));
    if (paused !== undefined) {
      const tried = goOn(from, rule, place, contextOf(rule, memory.apart(), needs));
      if (saysMore(tried)) return { interpretation: silenced(run, entry, paused), open: [] };
    }
    const next = goOn(from, rule, place, contextOf(rule, memory, needs));
    const { started, told } = followCounts({ event, entry, memory, paused }, [next], needs);
    const all = joined([next, ...started.map((one) => one.interpretation), ...told]);
    return { interpretation: { ...all, state: memory.writes() }, open: openRules(started) };
  });
  // A run that is as it was only needs its effect again.
  return ended === undefined
    ? { ...NOTHING, effects: again(interpretation, run.version) }
    : { ...interpretation, sources: open.flatMap((one) => sourceOf(one, needs)) };
}

/** The effects of a run that is kept already: what would be kept for them is there. */
function again({ effects }: Interpretation, version: number): Interpretation["effects"] {
  return effects.map((effect) => ({ ...effect, run: { ...effect.run, version } }));
}

/** The time is over that a run may take: what it waits for is let go, and what it has not sent is not sent. */
export async function runOverdue(happened: RunAndEntry, needs: Needs): Promise<Interpretation> {
  const { run, entry } = happened;
  const { ended, position } = readState(run, readEvent(entry, needs));
  if (ended !== undefined || position[0] === "on_error") return NOTHING;
  const late = await ruleGoesOn(happened, needs, timedOut);
  const cancelled = run.waitsFor === undefined ? [] : [run.waitsFor];
  return { ...late, cancelled: [...late.cancelled, ...cancelled], withdrawn: [run.id] };
}

/** A rule was changed or removed: its runs go on by what it was, unless it says otherwise. */
export async function ruleChanged({ run }: RunAndEntry, needs: Needs): Promise<Interpretation> {
  const rule = await needs.archive.find(run.revision);
  const why = rule && outdated(rule, needs);
  return why === undefined ? NOTHING : endRun(run, why);
}
