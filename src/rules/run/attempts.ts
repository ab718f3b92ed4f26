import { drawn } from "../expression/fingerprint.ts";
import type { Attempts, FailedStep, RunState } from "./run-state.ts";
import type { Retry, Step } from "./step.ts";

/** Returns the attempts of `step`, if the run is at that step. */
export function attemptsOf({ attempts }: RunState, { label }: Step): Attempts | undefined {
  return attempts?.step === label ? attempts : undefined;
}

/** Records the first attempt of a step. */
export function begun(state: RunState, step: Step, now: number): RunState {
  if (step.retry === undefined || attemptsOf(state, step) !== undefined) return state;
  return { ...state, attempts: { step: step.label, number: 1, since: now } };
}

/** Records a failure after which the step is retried; `undefined` if no further attempt is allowed or useful. */
export function setBack(run: RunState, step: Step, failed: FailedStep): RunState | undefined {
  const attempts = attemptsOf(run, step);
  if (step.retry === undefined || attempts === undefined || !isWorthIt(failed)) return undefined;
  if (attempts.number >= step.retry.attempts) return undefined;
  return { ...run, attempts: { ...attempts, failed } };
}

/** Begins the next attempt of a step, after the pause. */
export function triedAnew(run: RunState, { step, number, since }: Attempts): RunState {
  return { ...run, attempts: { step, number: number + 1, since } };
}

/**
 * Returns the time of the next attempt in milliseconds since the epoch; `undefined` if it would be after `giveUpMs`.
 */
export function nextAttempt(
  { everyMs, giveUpMs = Infinity }: Retry,
  { number, since, until, failed }: Attempts,
  { now, seed }: { readonly now: number; readonly seed: string },
): number | undefined {
  if (until !== undefined) return until;
  const pause = everyMs ?? spread(Math.min(FIRST_MS * 2 ** (number - 1), LONGEST_MS), seed);
  const at = now + Math.max(pause, Math.min(failed?.retryAfterMs ?? 0, LONGEST_MS));
  return at > since + giveUpMs ? undefined : at;
}

const FIRST_MS = 1_000;
const LONGEST_MS = 60 * 60_000;

/** Adds jitter, so that runs that failed together do not retry at the same time. */
function spread(ms: number, seed: string): number {
  return Math.round(ms * (0.5 + drawn(seed) / 2));
}

/**
 * Returns whether a retry can succeed: a rejection of the request's content would repeat. A text of which a part is sent
 * is not sent again.
 */
function isWorthIt({ status, error, ids = [] }: FailedStep): boolean {
  if (NEVER.has(error.code) || ids.length > 0) return false;
  return status === undefined || status < 400 || status >= 500 || WAITED_FOR.has(status);
}

const NEVER: ReadonlySet<string> = new Set([
  "http-not-allowed",
  "http-redirects",
  "http-too-long",
  "http-url",
]);
/** Statuses that allow a retry: request timeout, too early, too many requests. */
const WAITED_FOR: ReadonlySet<number> = new Set([408, 425, 429]);
