import type { CompiledRule } from "../ruleset.ts";
import { durationInWords as inWords } from "../../system/duration.ts";
import { callAt, callsRule, type OpenCall } from "./open-call.ts";
import type { FailedStep, RunEnd, RunError, RunState, StepResult } from "./run-state.ts";
import { blockAt, IN_CALLED, ON_CALLED_ERROR, ON_HELD, type Position, type Step } from "./step.ts";

/** Functions that move a run after a step: to the next step, out of its block, into steps for an error, to its end. */

/** Returns the position of the next step in the same block. */
export function following(position: Position): Position {
  return [...position.slice(0, -1), Number(position.at(-1)) + 1];
}

/** Leaves a block at its end: continues after the step that contains the block. */
export function leaveBlock(state: RunState, rule: CompiledRule): RunState {
  if (state.branch !== undefined && state.position.length === state.branch.depth + 2) {
    return end(state, ALL_DONE);
  }
  const call = callAt(rule, state);
  if (call !== undefined && state.position.length === call.position.length + 2) {
    const { error } = state;
    const hasFailed = state.position.at(-2) === ON_CALLED_ERROR && error !== undefined;
    return returned(state, rule, call, hasFailed ? { ok: false, error } : DONE);
  }
  if (state.position.length > 2) {
    return { ...state, position: following(state.position.slice(0, -2)) };
  }
  if (state.position[0] === "on_error" && state.error) {
    return end(state, failure(state.error));
  }
  return end(state, ALL_DONE);
}

const ALL_DONE: RunEnd = { outcome: "finished", reason: "all steps are done" };

const DONE: StepResult = { ok: true, result: null };

/** Leaves the steps of a called rule: continues in the calling rule. */
function returned(
  { calls, ...state }: RunState,
  rule: CompiledRule,
  { step, position }: OpenCall,
  result: StepResult,
): RunState {
  const { [step.label]: _over, ...open } = calls ?? {};
  const back = { ...state, ...(Object.keys(open).length > 0 && { calls: open }), position };
  if (!result.ok) return failed(back, step, rule, result);
  const results = { ...back.results, [step.label]: result };
  return { ...back, results, position: following(position) };
}

/** Returns the open call of another rule; within a branch, only a call inside the branch. */
function innerCall(rule: CompiledRule, state: RunState): OpenCall | undefined {
  const call = callAt(rule, state);
  return call !== undefined && call.position.length > (state.branch?.depth ?? 0) ? call : undefined;
}

/** Ends a rule's steps early. Ends the run, too, unless these steps were called by another rule. */
export function stopped(state: RunState, rule: CompiledRule, ended: RunEnd): RunState {
  const call = innerCall(rule, state);
  if (call === undefined) {
    const { branch } = state;
    return end(
      branch === undefined ? state : { ...state, branch: { ...branch, stops: true } },
      ended,
    );
  }
  const { outcome, reason } = ended;
  const error = { code: "stopped", message: reason };
  const result = outcome === "failed" ? { ok: false as const, error } : { ...DONE, result: reason };
  return returned(state, rule, call, result);
}

/** Returns the step that certainly follows the step at `position`, if any. */
export function stepAfter(rule: CompiledRule, position: Position): Step | undefined {
  for (let next = following(position); ; next = following(next.slice(0, -2))) {
    const { block, index } = blockAt(rule, next);
    const step = block[index];
    if (step !== undefined || next.length <= 2) return step;
    const held = blockAt(rule, next.slice(0, -2));
    // the next step is unknown: another round or branch may follow, or a failure that continues in the calling rule
    const holder = held.block[held.index];
    const isOpen = holder?.repeats !== undefined || holder?.branches !== undefined;
    if (isOpen || next.at(-2) === ON_CALLED_ERROR) return undefined;
  }
}

/**
 * Fails a step. Continues where the failure is handled: by the step itself, by a step or call around it, or by the
 * rule's `on_error`. Without any, ends the run.
 */
export function failed(
  { listening: _given, attempts: _all, parallel: _over, ...run }: RunState,
  step: Step,
  rule: CompiledRule,
  result: FailedStep,
): RunState {
  const state = { ...run, results: { ...run.results, [step.label]: result } };
  const error = { ...result.error, step: step.label };
  const handledRun =
    handled(state, step, state.position, error) ?? handledAround(state, rule, result, error);
  if (handledRun !== undefined) return handledRun;
  const failedRun = { ...state, error };
  // the other branches continue: the step with the branches fails once all of them have ended
  if (state.branch !== undefined) return end(failedRun, failure(error));
  const isHandling = state.position[0] === "on_error";
  if (rule.onError.length > 0 && !isHandling) return { ...failedRun, position: ["on_error", 0] };
  return end(failedRun, failure(error));
}

/** Continues with the `on_error` of the failed step at `position`, or after the step if it has `continue_on_error`. */
function handled(
  state: RunState,
  { continueOnError, onError }: Step,
  position: Position,
  error: RunError,
): RunState | undefined {
  if (continueOnError) return { ...state, position: following(position) };
  return onError.length > 0
    ? { ...state, error, position: [...position, "on_error", 0] }
    : undefined;
}

/** Continues at the innermost step around the failed one that handles the failure; in a branch, inside the branch. */
function handledAround(
  state: RunState,
  rule: CompiledRule,
  { error: { code, message } }: FailedStep,
  error: RunError,
): RunState | undefined {
  const { position, branch } = state;
  const result: FailedStep = { ok: false, error: { code, message } };
  for (let depth = position.length - 2; depth > (branch?.depth ?? 0); depth -= 2) {
    const around = position.slice(0, depth);
    const { block, index } = blockAt(rule, around);
    const step = block[index];
    const inside = String(position[depth]);
    if (step === undefined || BESIDE.has(inside)) continue;
    if (callsRule(step)) {
      const isHandled = inside === IN_CALLED && (step.blocks?.[ON_CALLED_ERROR] ?? []).length > 0;
      if (isHandled) return { ...state, error, position: [...around, ON_CALLED_ERROR, 0] };
      return returned({ ...state, error }, rule, { step, position: around }, result);
    }
    const results = { ...state.results, [step.label]: result };
    const handledRun = handled({ ...state, results }, step, around, error);
    if (handledRun !== undefined) return handledRun;
  }
  return undefined;
}

/** Blocks beside a step's verb: the step does not handle the failures of their steps. */
const BESIDE: ReadonlySet<string> = new Set(["on_error", ON_HELD]);

function failure(error: RunError): RunEnd {
  return { outcome: "failed", reason: reasonOf(error) };
}

function reasonOf({ code, step, message }: RunError): string {
  return code === TIMEOUT ? `${code}: ${message}` : `${step}: ${message}`;
}

const TIMEOUT = "timeout";

/** Stops a run at its rule's timeout. Continues with the rule's `on_error` steps; without any, ends the run. */
export function timedOut(run: RunState, rule: CompiledRule): RunState {
  const { listening: _given, attempts: _all, parallel: _left, deadline: _over, ...state } = run;
  if (state.ended || state.position[0] === "on_error") return run;
  const { block, index } = blockAt(rule, state.position);
  const step = block[index]?.label ?? "";
  const error = { code: TIMEOUT, message: `it was not over in ${inWords(rule.timeoutMs ?? 0)}` };
  const results =
    step === "" ? state.results : { ...state.results, [step]: { ok: false as const, error } };
  const late = { ...state, results, timedOut: true as const, error: { ...error, step } };
  if (rule.onError.length > 0) return { ...late, position: ["on_error", 0] };
  return end(late, failure(late.error));
}

export function end(state: RunState, ended: RunEnd): RunState {
  return { ...state, ended };
}
