import type { ReadState } from "../evaluation/state-view.ts";
import type { CompiledRule } from "../ruleset.ts";
import { attemptsOf, begun, nextAttempt, setBack, triedAnew } from "./attempts.ts";
import { branchesOff, branchingOff, type BranchesRequest, openBranchesOf } from "./parallel.ts";
import { answered, listeningOf, nextListener } from "./listen.ts";
import { failed, following, leaveBlock, stopped } from "./moves.ts";
import { callAt, callsRule, type CallingStep } from "./open-call.ts";
import type { Attempts, FailedStep, RunEnd, RunState, StepResult } from "./run-state.ts";
import { firstRound, nextRound, repeaterOf, repeatsSteps, roundName } from "./rounds.ts";
import { runView } from "./run-view.ts";
import type { View } from "../expression/view.ts";
import {
  blockAt,
  IN_CALLED,
  type ListeningStep,
  listensTo,
  ON_HELD,
  type Step,
  type StepOutcome,
  type StepRequest,
} from "./step.ts";

/** Request to the caller (perform a step, wait, start branches), after which the run continues; or the run's end. */
export type Next =
  | ((StepRequest | WaitRequest | BranchesRequest) & {
      /** Label of the step: part of the idempotency key of what the step sends. */
      readonly path: string;
      readonly id?: string;
    } & StepTurn)
  | { readonly kind: "done"; readonly end: RunEnd };

/** Round, question and attempt of a step. */
export interface StepTurn {
  /** Round of a repeated step: `2`, or `2.1` for a repeat within a round. */
  readonly round?: string;
  /** Number of the question, if the step asks more than once. */
  readonly iteration?: number;
  /** Number of the attempt, if the first has failed. */
  readonly attempt?: number;
  /** Time limit of the attempt, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Request to wait for a person: pass each event to `offer`, and call `timeUp` at the time `until`. */
export interface WaitRequest {
  readonly kind: "wait";
  /** End of the wait, in milliseconds since the epoch. */
  readonly until: number;
}

export interface AdvanceContext {
  /** Current time in milliseconds since the epoch. */
  readonly now: number;
  /** Secrets by name, for the steps `call` and `http`. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Reads the user state that the rule uses. Absent: there is no user state. */
  readonly read?: ReadState;
}

export interface Advanced {
  /** State to store before the caller does `next`. */
  readonly run: RunState;
  readonly next: Next;
}

function inRound(next: Next, state: RunState, rule: CompiledRule): Next {
  if (next.kind === "done") return next;
  const round = roundName(rule, state);
  return round === undefined ? next : { ...next, round };
}

/** State after a step, and work for the caller, if any. */
interface Outcome {
  readonly state: RunState;
  readonly next?: Next;
}

/**
 * Advances a run to the next work for the caller: an action, a call, a log entry, a wait.
 *
 * Pure. Until `settle`, `timeUp` or `offer` changes the run, each call returns the same step, also after a crash.
 *
 * @param rule The rule of `run.revision`.
 */
export function advance(run: RunState, rule: CompiledRule, context: AdvanceContext): Advanced {
  let state = run;
  while (!state.ended) {
    const { block, index } = blockAt(rule, state.position);
    const step = block[index];
    const outcome = step ? perform(step, state, rule, context) : leave(state, rule, context);
    state = outcome.state;
    if (outcome.next) return { run: state, next: inRound(outcome.next, state, rule) };
  }
  return { run: state, next: { kind: "done", end: state.ended } };
}

/**
 * Records the result of the step that `advance` returned.
 *
 * @param rule The rule of `run.revision`.
 */
export function settle(run: RunState, rule: CompiledRule, result: StepResult): RunState {
  const { block, index } = blockAt(rule, run.position);
  const step = block[index];
  if (run.ended || !step) return run;
  const attempts = attemptsOf(run, step);
  if (attempts?.failed) return triedAnew(run, attempts);
  if (!result.ok) return setBack(run, step, result) ?? failed(run, step, rule, result);
  const listening = listensTo(step) ? listeningOf(run, step) : undefined;
  const { attempts: _over, ...rest } = run;
  const results = { ...run.results, [step.label]: result };
  if (result.held !== undefined && step.blocks?.[ON_HELD] !== undefined) {
    // the question was not sent, so the step stops listening
    const { listening: _ended, ...deaf } = rest;
    const position = [...run.position, ON_HELD, 0];
    return { ...(listening === undefined ? rest : deaf), results, position };
  }
  // the question is sent, so the run now waits only for the answer
  if (listening) return { ...run, listening: { ...listening, sent: true } };
  return { ...rest, results, position: following(run.position) };
}

/** Continues at the end of a block: after the step that contains the block, or with the next round of that step. */
function leave(state: RunState, rule: CompiledRule, context: AdvanceContext): Outcome {
  const step = repeaterOf(rule, state.position);
  if (step === undefined) return { state: leaveBlock(state, rule) };
  return { state: nextRound(state, step, rule, runView(state, rule, context)) };
}

function perform(
  step: Step,
  before: RunState,
  rule: CompiledRule,
  context: AdvanceContext,
): Outcome {
  let state = before;
  const attempts = attemptsOf(state, step);
  if (attempts?.failed) return pauseBefore(attempts, attempts.failed, step, state, rule, context);
  const view = runView(state, rule, context);
  const under = listensTo(step) ? listeningOf(state, step) : undefined;
  const isUnderWay = under ?? attempts ?? openBranchesOf(state, step);
  const condition = isUnderWay ? undefined : step.condition?.evaluate(view);
  if (condition && !condition.ok) return notReady(state, step, rule, condition.error);
  if (condition) state = wentBy(state, step, condition.value === true ? 0 : 1);
  if (condition && condition.value !== true) {
    return { state: { ...state, position: following(state.position) } };
  }
  const { event } = state;
  const { now, read = () => undefined } = context;
  const seed = seedOf(state, step, rule);
  const questionNumber = under?.asked ?? 1;
  const file = callAt(rule, state)?.step.calls.file ?? rule.file;
  const run = { event, view, file, seed, questionNumber, now, read };
  if (listensTo(step)) return listen(step, state, rule, context, () => step.perform(run));
  if (branchesOff(step)) {
    const branching = branchingOff(state, step, now);
    return { state: branching.state, next: { ...branching.request, ...named(step) } };
  }
  if (repeatsSteps(step)) return { state: firstRound(state, step, rule, view) };
  if (callsRule(step)) return intoCalled(step, state, rule, view);
  return afterOutcome(step.perform(run), step, { state, attempts }, rule, context);
}

/** Returns the state after a step was performed, and the work for the caller. */
function afterOutcome(
  outcome: StepOutcome,
  step: Step,
  { state, attempts }: { readonly state: RunState; readonly attempts: Attempts | undefined },
  rule: CompiledRule,
  context: AdvanceContext,
): Outcome {
  switch (outcome.kind) {
    case "enter":
      return {
        state: {
          ...wentBy(state, step, outcome.way),
          position: [...state.position, outcome.block, 0],
        },
      };
    case "end":
      return {
        state: stopped(state, rule, { outcome: outcome.outcome, reason: outcome.reason }),
      };
    case "not-ready":
      return notReady(state, step, rule, outcome.message);
    case "action":
      return {
        state: awaitingNext(begun(state, step, context.now), rule, context.now),
        next: { ...outcome, ...named(step), ...tried(step, attempts) },
      };
    case "call":
    case "escalate":
    case "http":
    case "lookup":
      return {
        state: begun(state, step, context.now),
        next: { ...outcome, ...named(step), ...tried(step, attempts) },
      };
    case "log":
    case "remember":
    case "stop-runs":
    case "timer":
      return { state, next: { ...outcome, ...named(step) } };
  }
}

/** Records which condition of a step held first: the `if` or one of the `else_if`, by its index. */
function wentBy(state: RunState, { label }: Step, way: number): RunState {
  return { ...state, ways: { ...state.ways, [label]: way } };
}

/** Enters the steps of a called rule. Drops the results of an earlier call of that rule. */
function intoCalled(step: CallingStep, state: RunState, rule: CompiledRule, view: View): Outcome {
  const vars = step.calls.vars(view);
  if (!vars.ok) return notReady(state, step, rule, vars.error);
  const inside = `${step.label}.`;
  const results = Object.entries(state.results).filter(([label]) => !label.startsWith(inside));
  return {
    state: {
      ...state,
      results: Object.fromEntries(results),
      calls: { ...state.calls, [step.label]: vars.value },
      position: [...state.position, IN_CALLED, 0],
    },
  };
}

/** Waits for the next attempt of a failed step. If no further attempt is allowed, fails the step. */
function pauseBefore(
  attempts: Attempts,
  result: FailedStep,
  step: Step,
  state: RunState,
  rule: CompiledRule,
  { now }: AdvanceContext,
): Outcome {
  const seed = `${seedOf(state, step, rule)}/${attempts.number}`;
  const until = step.retry && nextAttempt(step.retry, attempts, { now, seed });
  if (until === undefined) return { state: failed(state, step, rule, result) };
  const { label: path } = step;
  return {
    state: { ...state, attempts: { ...attempts, until } },
    next: {
      kind: "timer",
      delayMs: Math.max(0, until - now),
      path: `${path}.retry`,
      ...(attempts.number > 1 ? { attempt: attempts.number } : {}),
    },
  };
}

/** Returns the number of the attempt and its time limit. */
function tried(
  { timeoutMs }: Step,
  attempts: Attempts | undefined,
): Pick<StepTurn, "attempt" | "timeoutMs"> {
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(attempts === undefined || attempts.number === 1 ? {} : { attempt: attempts.number }),
  };
}

/** Performs a step that waits for a person. The step may first send a question. */
function listen(
  step: ListeningStep,
  state: RunState,
  rule: CompiledRule,
  { now }: AdvanceContext,
  ask: () => StepOutcome,
): Outcome {
  const currentListening = listeningOf(state, step);
  if (currentListening?.answer) return { state: answered(state, step, currentListening.answer) };
  const isAsking = step.action !== undefined;
  const listening = currentListening ?? { step: step.label, since: now, asked: isAsking ? 1 : 0 };
  const more = listening.asked > 1 ? { iteration: listening.asked } : {};
  if (isAsking && listening.sent !== true) {
    const outcome = ask();
    if (outcome.kind === "not-ready") return notReady(state, step, rule, outcome.message);
    if (outcome.kind === "action") {
      return { state: { ...state, listening }, next: { ...outcome, ...named(step), ...more } };
    }
  }
  const until = listening.until ?? now + step.listens.withinMs;
  return {
    state: { ...state, listening: { ...listening, until } },
    next: { kind: "wait", until, ...named(step), ...more },
  };
}

/**
 * Starts to listen while a message is being sent whose answer the next step awaits: an answer may arrive before the
 * confirmation of the send.
 */
function awaitingNext(state: RunState, rule: CompiledRule, now: number): RunState {
  const next = nextListener(state, rule);
  if (next === undefined || listeningOf(state, next)) return state;
  return { ...state, listening: { step: next.label, since: now, asked: 0 } };
}

function named({ label, id }: Step): { readonly path: string; readonly id?: string } {
  return { path: label, ...(id === undefined ? {} : { id }) };
}

/** Returns a seed that identifies a step of a run. Event and rule identify the run: an event starts a rule once. */
function seedOf(state: RunState, { label }: Step, rule: CompiledRule): string {
  const { event, ruleId } = state;
  const round = roundName(rule, state);
  const name = `${event.accountId}/${event.key}/${ruleId}/${label}`;
  return round === undefined ? name : `${name}@${round}`;
}

/** Fails a step that can't be performed: a field is absent in the event, or a text is empty. */
function notReady(state: RunState, step: Step, rule: CompiledRule, message: string): Outcome {
  const error = { code: "step-not-ready", message };
  return { state: failed(state, step, rule, { ok: false, error }) };
}
