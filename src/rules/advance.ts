import type { Action } from "../actions/action.ts";
import { toAction } from "./to-action.ts";
import type { CompiledRule } from "./ruleset.ts";
import type { RunEnd, RunState, StepError, StepResult } from "./run-state.ts";
import { runView } from "./run-view.ts";
import { blockAt, type LogLevel, type Position, type Step } from "./step.ts";
import type { Json } from "./view.ts";

/** What the caller has to do before the run can go on. */
export type Next =
  | (NextFrame & { readonly kind: "action"; readonly action: Action })
  | (NextFrame & {
      readonly kind: "call";
      /** As written in the rule: relative to `file`. */
      readonly module: string;
      readonly export: string;
      readonly with: Json;
      readonly file: string;
      readonly timeoutMs?: number;
    })
  | (NextFrame & { readonly kind: "log"; readonly level: LogLevel; readonly message: string })
  | { readonly kind: "done"; readonly end: RunEnd };

interface NextFrame {
  /** Label of the step: with event and rule it makes the step's idempotency key. */
  readonly path: string;
  readonly id?: string;
}

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
 * Goes on to the next step that somebody else has to do: an action, a call, a line for the log.
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
 * Tells the run how the step that `advance` gave has ended.
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
  const fail = (message: string): RunState => stepFailed(state, step, rule, message);
  const condition = step.condition?.evaluate(view);
  if (condition && !condition.ok) return fail(condition.error);
  if (condition && condition.value !== true) {
    return { ...state, position: following(state.position) };
  }
  const frame = { path: step.label, ...(step.id === undefined ? {} : { id: step.id }) };
  switch (step.verb) {
    case "branch": {
      const test = step.test.evaluate(view);
      if (!test.ok) return fail(test.error);
      return { ...state, position: [...state.position, test.value === true ? "then" : "else", 0] };
    }
    case "stop": {
      const reason = step.reason.render(view);
      return reason.ok
        ? end(state, { outcome: step.outcome, reason: reason.value })
        : fail(reason.error);
    }
    case "log": {
      const message = step.message.render(view);
      if (!message.ok) return fail(message.error);
      return { ...frame, kind: "log", level: step.level, message: message.value };
    }
    case "call": {
      const argument = step.argument(view);
      if (!argument.ok) return fail(argument.error);
      const { module, export: name } = step;
      const timeout = step.timeoutMs === undefined ? {} : { timeoutMs: step.timeoutMs };
      const target = { module, export: name, file: rule.file };
      return { ...frame, kind: "call", ...target, with: argument.value, ...timeout };
    }
    case "reply_dm":
    case "reply_post":
    case "like":
    case "follow": {
      const action = toAction(step, state.event, view);
      return action.ok ? { ...frame, kind: "action", action: action.value } : fail(action.error);
    }
  }
}

/** A step that could not even be put together: a field the event doesn't tell, an empty text. */
function stepFailed(state: RunState, step: Step, rule: CompiledRule, message: string): RunState {
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
