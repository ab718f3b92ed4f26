import { isWithin, MAX_VALUE } from "../expression/value-size.ts";
import { celOfType, type View } from "../expression/view.ts";
import type { CompiledRule } from "../ruleset.ts";
import { failed, following } from "./moves.ts";
import type { Round, RunState } from "./run-state.ts";
import { blockAt, type Position, type Repeats, type Step } from "./step.ts";

/** Step that repeats a block of steps. */
export type RepeatingStep = Step & { readonly repeats: Repeats };

export function repeatsSteps(step: Step): step is RepeatingStep {
  return step.repeats !== undefined;
}

/** Returns the step that repeats the block around `position`, if any. */
export function repeaterOf(rule: CompiledRule, position: Position): RepeatingStep | undefined {
  if (position.length <= 2) return undefined;
  const { block, index } = blockAt(rule, position.slice(0, -2));
  const step = block[index];
  if (step === undefined || !repeatsSteps(step)) return undefined;
  return step.repeats.block === position.at(-2) ? step : undefined;
}

/** Returns the rounds around a position and their steps, the innermost last. */
export function roundsAt(
  rule: CompiledRule,
  { position, rounds = {} }: Pick<RunState, "position" | "rounds">,
): readonly { readonly round: Round; readonly step: RepeatingStep }[] {
  const enclosingRounds: { round: Round; step: RepeatingStep }[] = [];
  for (let depth = 4; depth <= position.length; depth += 2) {
    const step = repeaterOf(rule, position.slice(0, depth));
    const round = step && rounds[step.label];
    if (step && round !== undefined) enclosingRounds.push({ round, step });
  }
  return enclosingRounds;
}

/** Joins the numbers of the rounds around a position, such as `2.1`: part of the idempotency key of a step. */
export function roundName(rule: CompiledRule, state: RunState): string | undefined {
  const rounds = state.rounds === undefined ? [] : roundsAt(rule, state);
  return rounds.length === 0 ? undefined : rounds.map(({ round: { index } }) => index).join(".");
}

/** Begins the first round. If none is due, such as for an empty list, continues after the step. */
export function firstRound(
  state: RunState,
  step: RepeatingStep,
  rule: CompiledRule,
  view: View,
): RunState {
  const { before, items } = step.repeats;
  const list = items?.(view);
  if (list !== undefined && !list.ok) return broken(state, step, rule, list.error);
  if (list !== undefined && !isWithin(list.value, MAX_VALUE)) {
    return broken(state, step, rule, "the list is too long");
  }
  const first = { index: 0, ...(list === undefined ? {} : { items: list.value }) };
  const holds = before?.evaluate(inRound(view, { ...first, index: 1 }, step));
  if (holds !== undefined && !holds.ok) return broken(state, step, rule, holds.error);
  if (holds !== undefined && holds.value !== true) return over(state, step, first);
  return round(state, step, rule, first);
}

/** Begins the next round, or continues after the step. The run is after the last step of the round. */
export function nextRound(
  state: RunState,
  step: RepeatingStep,
  rule: CompiledRule,
  view: View,
): RunState {
  const at = { ...state, position: state.position.slice(0, -2) };
  const latest = state.rounds?.[step.label] ?? { index: 0 };
  const { before, after } = step.repeats;
  const conditionResult =
    before?.evaluate(inRound(view, { ...latest, index: latest.index + 1 }, step)) ??
    after?.evaluate(inRound(view, latest, step));
  if (conditionResult !== undefined && !conditionResult.ok)
    return broken(at, step, rule, conditionResult.error);
  const isOver =
    conditionResult !== undefined && (conditionResult.value === true) === (after !== undefined);
  return isOver ? over(at, step, latest) : round(at, step, rule, latest);
}

/** Maximum number of rounds of a run, over all its steps, so that nested repeats are limited, too. */
export const MAX_ROUNDS = 1_000;

function round(
  state: RunState,
  step: RepeatingStep,
  rule: CompiledRule,
  { index, items }: Round,
): RunState {
  const { count, max, block } = step.repeats;
  if (index >= (count ?? items?.length ?? Infinity)) return over(state, step, { index });
  const begun = (state.roundsBegun ?? 0) + 1;
  const isAboveMax = index >= max || (items?.length ?? 0) > max;
  if (isAboveMax || begun > MAX_ROUNDS) {
    const message = isAboveMax
      ? `it would have more than ${max} rounds`
      : `all repeats of the run would have more than ${MAX_ROUNDS} rounds together`;
    return failed(state, step, rule, { ok: false, error: { code: "repeat-limit", message } });
  }
  const next = { index: index + 1, ...(items === undefined ? {} : { items }) };
  return {
    ...state,
    results: inPast(state.results, step),
    rounds: { ...state.rounds, [step.label]: next },
    roundsBegun: begun,
    position: [...state.position, block, 0],
  };
}

/** Marks the results of the steps inside `step`: the round that begins has no results yet. */
function inPast(results: RunState["results"], { label: outer }: Step): RunState["results"] {
  const all = Object.entries(results).map(([label, result]) =>
    label.startsWith(`${outer}.`) ? [label, { ...result, past: true as const }] : [label, result],
  );
  return Object.fromEntries(all);
}

function over(state: RunState, { label }: Step, { index }: Round): RunState {
  const { [label]: _over, ...rounds } = state.rounds ?? {};
  const results = { ...state.results, [label]: { ok: true as const, result: index } };
  return { ...state, rounds, results, position: following(state.position) };
}

function broken(state: RunState, step: Step, rule: CompiledRule, message: string): RunState {
  return failed(state, step, rule, { ok: false, error: { code: "step-not-ready", message } });
}

/** Returns the view of a round's condition: `while` reads the round that would begin, `until` the round that ended. */
function inRound(view: View, round: Round, step: RepeatingStep): View {
  return Object.assign(Object.create(null), view, { repeat: roundView(round, step) });
}

/** Returns the value of `repeat` in expressions. */
export function roundView({ index, items }: Round, { repeats }: RepeatingStep): View {
  const item = items?.[index - 1];
  const view = Object.assign(Object.create(null), { index: BigInt(index) });
  return item === undefined
    ? view
    : Object.assign(view, { item: celOfType(item, repeats.itemType ?? "dyn") });
}
