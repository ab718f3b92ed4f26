import type { CompiledRule } from "../ruleset.ts";
import type { RunEnd, RunState, StepError, StepResult } from "./run-state.ts";
import { runView } from "./run-view.ts";
import { blockAt, type Position, type Step, type StepRequest } from "./step.ts";

/** What the caller has to do before the run can go on, or how the run has ended. */
export type Next =
  | (StepRequest & {
      /** Label of the step: together with the run it makes the key of what the step sends. */
      readonly path: string;
      readonly id?: string;
    })
  | { readonly kind: "done"; readonly end: RunEnd };

export interface AdvanceContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** By name, for the arguments of calls. */
  readonly secrets?: Readonly<Record<string, string>>;
}

export interface Advanced {
  /** To be stored before `next` is done. */
  readonly run: RunState;
  readonly next: Next;
}

/**
 * Goes on to the next step that somebody else has to do: an action, a call, a line for the log, a wait.
 *
 * Pure, and the same until `settle` is called: after a crash it gives the same step again.
 *
 * @param rule The rule of `run.revision`.
 */
export function advance(run: RunState, rule: CompiledRule, context: AdvanceContext): Advanced {
  let state = run;
  while (!state.ended) {
    const { block, index } = blockAt(rule, state.position);
    const step = block[index];
    const outcome = step ? perform(step, state, rule, context) : leaveBlock(state);
    if ("kind" in outcome) return { run: state, next: outcome };
    state = outcome;
  }
  return { run: state, next: { kind: "done", end: state.ended } };
}

/**
 * Records how the step that `advance` gave has ended.
 *
 * @param rule The rule of `run.revision`.
 */
export function settle(run: RunState, rule: CompiledRule, result: StepResult): RunState {
  const { block, index } = blockAt(rule, run.position);
  const step = block[index];
  if (run.ended || !step) return run;
  const results = { ...run.results, [step.label]: result };
  if (result.ok) return { ...run, results, position: following(run.position) };
  return failed({ ...run, results }, step, rule, result.error);
}

/** The end of a block: back to the step that holds it, and past that. */
function leaveBlock(state: RunState): RunState {
  if (state.position.length > 2) {
    return { ...state, position: following(state.position.slice(0, -2)) };
  }
  if (state.position[0] === "on_error" && state.error) {
    const { step, message } = state.error;
    return end(state, { outcome: "failed", reason: `${step}: ${message}` });
  }
  return end(state, { outcome: "finished", reason: "all steps are done" });
}

function perform(
  step: Step,
  state: RunState,
  rule: CompiledRule,
  context: AdvanceContext,
): RunState | Next {
  const view = runView(state, rule, context);
  const condition = step.condition?.evaluate(view);
  if (condition && !condition.ok) return notReady(state, step, rule, condition.error);
  if (condition && condition.value !== true) {
    return { ...state, position: following(state.position) };
  }
  const { event } = state;
  const outcome = step.perform({ event, view, file: rule.file, seed: seedOf(state, step) });
  switch (outcome.kind) {
    case "enter":
      return { ...state, position: [...state.position, outcome.block, 0] };
    case "end":
      return end(state, { outcome: outcome.outcome, reason: outcome.reason });
    case "not-ready":
      return notReady(state, step, rule, outcome.message);
    case "action":
    case "call":
    case "log":
    case "timer":
      return { ...outcome, path: step.label, ...(step.id === undefined ? {} : { id: step.id }) };
  }
}

/** Names one step of one run: an event starts a rule once. */
function seedOf({ event, ruleId }: RunState, { label }: Step): string {
  return `${event.accountId}/${event.key}/${ruleId}/${label}`;
}

/** A step that could not even be put together: a field that the event doesn't have, an empty text. */
function notReady(state: RunState, step: Step, rule: CompiledRule, message: string): RunState {
  const error = { code: "step-not-ready", message };
  const results = { ...state.results, [step.label]: { ok: false as const, error } };
  return failed({ ...state, results }, step, rule, error);
}

function failed(state: RunState, step: Step, rule: CompiledRule, error: StepError): RunState {
  if (step.continueOnError) return { ...state, position: following(state.position) };
  const known = { ...state, error: { ...error, step: step.label } };
  if (step.onError.length > 0) return { ...known, position: [...state.position, "on_error", 0] };
  const isHandling = state.position[0] === "on_error";
  if (rule.onError.length > 0 && !isHandling) return { ...known, position: ["on_error", 0] };
  return end(known, { outcome: "failed", reason: `${step.label}: ${error.message}` });
}

function following(position: Position): Position {
  return [...position.slice(0, -1), Number(position.at(-1)) + 1];
}

function end(state: RunState, ended: RunEnd): RunState {
  return { ...state, ended };
}
