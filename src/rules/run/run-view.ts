import { triggerView } from "../evaluation/evaluation.ts";
import type { CompiledRule } from "../ruleset.ts";
import { type CallingStep, callAt } from "./open-call.ts";
import type { RunState, StepResult } from "./run-state.ts";
import { roundName, roundsAt, roundView } from "./rounds.ts";
import { type ReadState, withState } from "../evaluation/state-view.ts";
import { withSeed } from "../expression/seed.ts";
import { celData, celOfType, isoTime, type View, viewOf } from "../expression/view.ts";

/**
 * Returns the values that expressions of a run's steps can read: the event, `vars`, `steps`, `secrets`, `error`, `now`.
 */
export function runView(
  run: RunState,
  rule: CompiledRule,
  context: {
    readonly now: number;
    readonly secrets?: Readonly<Record<string, string>>;
    readonly read?: ReadState;
  },
): View {
  const steps = new Map<string, unknown>();
  const called = callAt(rule, run)?.step;
  for (const [id, label] of called?.calls.stepIds ?? rule.stepIds) {
    const result = run.results[label];
    if (result && result.past !== true) steps.set(id, resultView(result));
  }
  const { read = () => undefined } = context;
  const view = Object.assign(withState(viewOf(run.event), rule.usesState, run.event, read), {
    now: isoTime(context.now),
    trigger: triggerView(run.trigger),
    vars: variablesView(run, rule, called),
    captures: celData(run.captures ?? {}),
    secrets: celData(context.secrets ?? {}),
    steps,
    ...repeatView(run, rule),
    ...(run.error ? { error: celData({ ...run.error }) } : {}),
  });
  return withSeed(view, seedOfStep(run, rule));
}

/** Returns `vars`: the variables of the called rule at the current step, or else of the run's rule. */
function variablesView(
  run: RunState,
  rule: CompiledRule,
  called: CallingStep | undefined,
): ReadonlyMap<string, unknown> {
  const types =
    called?.calls.variableTypes ??
    new Map(rule.variables.map(({ name, value }) => [name, value.type]));
  const values = called === undefined ? run.vars : (run.calls?.[called.label] ?? {});
  const variables = Object.entries(values);
  return new Map(
    variables.map(([name, value]) => [name, celOfType(value, types.get(name) ?? "dyn")]),
  );
}

/** Returns a seed that identifies a step and its round. Event and rule identify the run. */
function seedOfStep(run: RunState, rule: CompiledRule): string {
  const { event, ruleId, position } = run;
  const round = roundName(rule, run) ?? "";
  return `${event.accountId}/${event.key}/${ruleId}/${position.join(".")}@${round}`;
}

/** Returns `repeat` with the innermost round of the run; empty outside of repeated steps. */
function repeatView(run: RunState, rule: CompiledRule): Readonly<Record<string, unknown>> {
  const innermost = run.rounds === undefined ? undefined : roundsAt(rule, run).at(-1);
  return innermost === undefined ? {} : { repeat: roundView(innermost.round, innermost.step) };
}

/** Converts a result for expressions. Steps that are skipped, in this round at least, have no entry; failed steps have no `result`. */
function resultView(result: StepResult): unknown {
  return celData(result.ok ? result : { ...result, error: result.error.message });
}
