import type { AccountEvent } from "../../events/event.ts";
import { mayAnswer } from "../../events/conversation.ts";
import { counterpartOf } from "../../events/kinds/kinds.ts";
import { bare, fold } from "../../text/fold.ts";
import { Evaluation } from "../evaluation/evaluation.ts";
import type { ReadState } from "../evaluation/state-view.ts";
import type { CompiledRule } from "../ruleset.ts";
import { fieldsOf } from "../schema/fields.ts";
import { attemptsOf, triedAnew } from "./attempts.ts";
import { branchesOff, tooSlow } from "./parallel.ts";
import { failed, following, stepAfter } from "./moves.ts";
import type { Answer, FailedStep, Listening, RunState } from "./run-state.ts";
import { blockAt, type ListeningStep, listensTo, ON_INVALID, ON_TIMEOUT } from "./step.ts";

/** Result of {@link offer}: the state of the run after it took the event. */
export interface Offered {
  readonly run: RunState;
  /** Refusal, if the event is not a valid answer. */
  readonly refused?: RefusedAnswer;
  /** Whether the event is a valid answer to a question that not every message answers. */
  readonly isExpected?: true;
}

/** Question, and the condition that an answer failed. */
export interface RefusedAnswer {
  /** Id of the step, or its label if it has no id. */
  readonly question: string;
  /** Condition of a valid answer, such as `message.text in yes|no`. */
  readonly wanted: string;
}

/** Returns whether the run waits for an event. If so, pass each event to {@link offer}. */
export function isListening({ listening, ended }: RunState): boolean {
  return ended === undefined && listening !== undefined && listening.answer === undefined;
}

/** Returns the next step if it waits for an event: it gets events that arrive while the current step is sent. */
export function nextListener(run: RunState, rule: CompiledRule): ListeningStep | undefined {
  const next = stepAfter(rule, run.position);
  // a step with a question has not asked it yet, and a step with a condition may be skipped
  if (next === undefined || next.action !== undefined || next.condition) return undefined;
  return listensTo(next) ? next : undefined;
}

/** Returns the listening state of `step`, if the run is at that step. */
export function listeningOf(run: RunState, { label }: ListeningStep): Listening | undefined {
  return run.listening?.step === label ? run.listening : undefined;
}

/**
 * Offers an event to a run that listens.
 *
 * @param rule The rule of `run.revision`.
 * @param now Current time in milliseconds since the epoch.
 * @param read Reads the user state that the rule uses. Absent: there is no user state.
 * @returns `undefined` when the event is not for the run.
 */
export function offer(
  run: RunState,
  rule: CompiledRule,
  event: AccountEvent,
  now: number,
  read?: ReadState,
): Offered | undefined {
  if (!isListening(run) || run.listening === undefined) return undefined;
  const { step, isAhead } = listenerOf(run, rule);
  if (step === undefined || !isInTime(event, run.listening)) return undefined;
  const { trigger, conditions, expect } = step.listens;
  if (event.direction !== "inbound" || !event.triggers.includes(trigger)) return undefined;
  if (!mayAnswer(event, () => counterpartOf(run.event))) return undefined;
  const evaluation = new Evaluation(event, now, read);
  evaluation.expose(rule.usesState);
  const name = { name: trigger };
  if (conditions.some((one) => one.test(evaluation, name) !== undefined)) return undefined;
  const text = fieldsOf(event.kind).get("text")?.read(event);
  const answer = answerOf(step, typeof text === "string" ? text : undefined);
  const heard = { ...run, heardAt: event.at };
  if (isAhead) return { run: { ...heard, listening: { ...run.listening, answer } } };
  const failure = expect?.test(evaluation, name);
  if (failure === undefined) {
    const offered = { run: answered(heard, step, answer) };
    return expect === undefined ? offered : { ...offered, isExpected: true };
  }
  const refused = { question: step.id ?? step.label, wanted: failure.wanted };
  return { run: askedAnew(heard, step, rule, now), refused };
}

function answerOf({ listens }: ListeningStep, text: string | undefined): Answer {
  if (text === undefined) return { captures: listens.captures("") };
  const choice = listens.choice?.(text);
  return { text, captures: listens.captures(text), ...(choice !== undefined && { choice }) };
}

/** Returns whether the event is the person's cancellation of a run. Parameters as in {@link offer}. */
export function isCancelled(
  run: RunState,
  rule: CompiledRule,
  event: AccountEvent,
  now: number,
  read?: ReadState,
): boolean {
  if (!isListening(run) || run.listening === undefined) return false;
  const { step } = listenerOf(run, rule);
  if (step?.listens.cancelOn === undefined || !isInTime(event, run.listening)) return false;
  const { trigger, cancelOn, expect } = step.listens;
  if (event.direction !== "inbound" || !event.triggers.includes(trigger)) return false;
  if (!mayAnswer(event, () => counterpartOf(run.event))) return false;
  const text = fieldsOf(event.kind).get("text")?.read(event);
  if (typeof text !== "string") return false;
  if (!cancelOn.has(fold(text).trim()) && !cancelOn.has(bare(text))) return false;
  if (expect === undefined) return true;
  const evaluation = new Evaluation(event, now, read);
  evaluation.expose(rule.usesState);
  return expect.test(evaluation, { name: trigger }) !== undefined;
}

/**
 * Ends the wait of a step when its time is over. A pause succeeds, and a failed step begins its next attempt. A step
 * with open branches fails. A step without its answer continues with `on_timeout`, or fails if it has no such block.
 */
export function timeUp(run: RunState, rule: CompiledRule): RunState {
  const { block, index } = blockAt(rule, run.position);
  const step = block[index];
  if (run.ended || step === undefined) return run;
  const attempts = attemptsOf(run, step);
  if (attempts?.failed) return triedAnew(run, attempts);
  if (branchesOff(step)) return failed(run, step, rule, tooSlow(step));
  if (listensTo(step)) return endWithoutAnswer(run, step, rule, ON_TIMEOUT, NO_ANSWER);
  const results = { ...run.results, [step.label]: { ok: true as const, result: null } };
  return { ...run, results, position: following(run.position) };
}

/** Records the valid answer to a step, and continues after the step. */
export function answered(
  { listening: _taken, ...run }: RunState,
  step: ListeningStep,
  answer: Answer,
): RunState {
  const result = { ok: true as const, result: answer.text ?? null, ...answer };
  const results = { ...run.results, [step.label]: result };
  return { ...run, results, position: following(run.position) };
}

function askedAnew(run: RunState, step: ListeningStep, rule: CompiledRule, now: number): RunState {
  const questionCount = run.listening?.asked ?? 0;
  if (questionCount > step.listens.retries)
    return endWithoutAnswer(run, step, rule, ON_INVALID, INVALID);
  return { ...run, listening: { step: step.label, since: now, asked: questionCount + 1 } };
}

/**
 * Ends a step without a valid answer. Continues with the step's block for this case; without such a block, fails the
 * step.
 */
function endWithoutAnswer(
  run: RunState,
  step: ListeningStep,
  rule: CompiledRule,
  block: string,
  result: FailedStep,
): RunState {
  if ((step.blocks?.[block] ?? []).length === 0) return failed(run, step, rule, result);
  const { listening: _over, ...state } = run;
  const results = { ...state.results, [step.label]: result };
  const error = { ...result.error, step: step.label };
  return { ...state, results, error, position: [...state.position, block, 0] };
}

const NO_ANSWER: FailedStep = {
  ok: false,
  error: { code: "no-answer", message: "nobody answered in time" },
};
/** Error code of a step that received no valid answer. */
export const INVALID_ANSWER = "invalid-answer";
const INVALID: FailedStep = {
  ok: false,
  error: { code: INVALID_ANSWER, message: "no answer was what was asked for" },
};

/** Returns the step that listens: the current step (`isAhead: false`), or the step after it. */
function listenerOf(
  run: RunState,
  rule: CompiledRule,
): { readonly step: ListeningStep | undefined; readonly isAhead: boolean } {
  const { block, index } = blockAt(rule, run.position);
  const step = block[index];
  const isAhead = step?.label !== run.listening?.step;
  if (isAhead) return { step: nextListener(run, rule), isAhead };
  return { step: step !== undefined && listensTo(step) ? step : undefined, isAhead };
}

/** Returns whether an event came while the step listened. Earlier texts are no answers. Tolerates clock skew. */
export function isInTime(
  { at }: AccountEvent,
  { since, until = Infinity }: Pick<Listening, "since" | "until">,
): boolean {
  return at >= since - CLOCKS_DIFFER_MS && at <= until;
}

const CLOCKS_DIFFER_MS = 60_000;
