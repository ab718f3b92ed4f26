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

/** What the caller has to do before the run can go on, or how the run has ended. */
export type Next =
  | ((StepRequest | WaitRequest | BranchesRequest) & {
      /** Label of the step: together with the run it makes the key of what the step sends. */
      readonly path: string;
      readonly id?: string;
    } & StepTurn)
  | { readonly kind: "done"; readonly end: RunEnd };

/** Which time a step is come to, and how it is tried. */
export interface StepTurn {
  /** The rounds in which it is, where it is repeated: `2`, or `2.1` for what is repeated in a round. */
  readonly round?: string;
  /** How often the step has come to ask, where it asks anew. */
  readonly iteration?: number;
  /** Which attempt it is, where the first has failed. */
  readonly attempt?: number;
  /** How long it may take, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The run waits for somebody: `offer` it what comes, or say when the time is up. */
export interface WaitRequest {
  readonly kind: "wait";
  /** Milliseconds since the epoch. */
  readonly until: number;
}

export interface AdvanceContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** By name, for the arguments of calls. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Reads the user state that the rule uses; without it there is none. */
  readonly read?: ReadState;
}

export interface Advanced {
  /** To be stored before `next` is done. */
  readonly run: RunState;
  readonly next: Next;
}

function inRound(next: Next, state: RunState, rule: CompiledRule): Next {
  if (next.kind === "done") return next;
  const round = roundName(rule, state);
  return round === undefined ? next : { ...next, round };
}

/** Where a step leads: on with the run, or to something that somebody else has to do. */
interface Outcome {
  readonly state: RunState;
  readonly next?: Next;
}

/**
 * Goes on to the next step that somebody else has to do: an action, a call, a line for the log, a wait.
 *
 * Pure, and the same until `settle`, `timeUp` or `offer` is called: after a crash it gives the same step
 * again.
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
 * Records how the step that `advance` gave has ended.
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
    // nobody waits for the answer to a question that was not put
    const { listening: _ended, ...deaf } = rest;
    const position = [...run.position, ON_HELD, 0];
    return { ...(listening === undefined ? rest : deaf), results, position };
  }
  // the question has left: from now on it is the person who is waited for
  if (listening) return { ...run, listening: { ...listening, sent: true } };
  return { ...rest, results, position: following(run.position) };
}

/** The end of a block: on with what holds it, or through it once more. */
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
  const asked = under?.asked ?? 1;
  const file = callAt(rule, state)?.step.calls.file ?? rule.file;
  const run = { event, view, file, seed, asked, now, read };
  if (listensTo(step)) return listen(step, state, rule, context, () => step.perform(run));
  if (branchesOff(step)) {
    const branching = branchingOff(state, step, now);
    return { state: branching.state, next: { ...branching.request, ...named(step) } };
  }
  if (repeatsSteps(step)) return { state: firstRound(state, step, rule, view) };
  if (callsRule(step)) return intoCalled(step, state, rule, view);
  return afterOutcome(step.perform(run), step, { state, attempts }, rule, context);
}

/** The state after a step has performed, and what the caller has to do for it. */
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

/** Notes which condition of a step was the first that held. */
function wentBy(state: RunState, { label }: Step, way: number): RunState {
  return { ...state, ways: { ...state.ways, [label]: way } };
}

/** Into the steps of another rule; what they came to before is over. */
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

/** A step that has failed waits for its next attempt; where there is none, it has failed for good. */
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

/** Which attempt it is, and how long it may take. */
function tried(
  { timeoutMs }: Step,
  attempts: Attempts | undefined,
): Pick<StepTurn, "attempt" | "timeoutMs"> {
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(attempts === undefined || attempts.number === 1 ? {} : { attempt: attempts.number }),
  };
}

/** A step that waits for somebody, before which it may have to ask. */
function listen(
  step: ListeningStep,
  state: RunState,
  rule: CompiledRule,
  { now }: AdvanceContext,
  ask: () => StepOutcome,
): Outcome {
  const known = listeningOf(state, step);
  if (known?.answer) return { state: answered(state, step, known.answer) };
  const isAsking = step.action !== undefined;
  const listening = known ?? { step: step.label, since: now, asked: isAsking ? 1 : 0 };
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

/** Whoever answers before the send has settled is heard, too. */
function awaitingNext(state: RunState, rule: CompiledRule, now: number): RunState {
  const next = nextListener(state, rule);
  if (next === undefined || listeningOf(state, next)) return state;
  return { ...state, listening: { step: next.label, since: now, asked: 0 } };
}

function named({ label, id }: Step): { readonly path: string; readonly id?: string } {
  return { path: label, ...(id === undefined ? {} : { id }) };
}

/** Names one step of one run: an event starts a rule once. */
function seedOf(state: RunState, { label }: Step, rule: CompiledRule): string {
  const { event, ruleId } = state;
  const round = roundName(rule, state);
  const name = `${event.accountId}/${event.key}/${ruleId}/${label}`;
  return round === undefined ? name : `${name}@${round}`;
}

/** A step that could not even be put together: a field that the event doesn't have, an empty text. */
function notReady(state: RunState, step: Step, rule: CompiledRule, message: string): Outcome {
  const error = { code: "step-not-ready", message };
  return { state: failed(state, step, rule, { ok: false, error }) };
}
