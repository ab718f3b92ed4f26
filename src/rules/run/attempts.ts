import { drawn } from "../expression/fingerprint.ts";
import type { Attempts, FailedStep, RunState } from "./run-state.ts";
import type { Retry, Step } from "./step.ts";

/** What `step` has come to, if the run has come to it. */
export function attemptsOf({ attempts }: RunState, { label }: Step): Attempts | undefined {
  return attempts?.step === label ? attempts : undefined;
}

/** Notes that the step is tried. */
export function begun(state: RunState, step: Step, now: number): RunState {
  if (step.retry === undefined || attemptsOf(state, step) !== undefined) return state;
  return { ...state, attempts: { step: step.label, number: 1, since: now } };
}

/** The step has failed and may be tried again; `undefined` where that would come to the same. */
export function setBack(run: RunState, step: Step, failed: FailedStep): RunState | undefined {
  const attempts = attemptsOf(run, step);
  if (step.retry === undefined || attempts === undefined || !isWorthIt(failed)) return undefined;
  if (attempts.number >= step.retry.attempts) return undefined;
  return { ...run, attempts: { ...attempts, failed } };
}

/** Its pause is over: the step is tried once more. */
export function triedAnew(run: RunState, { step, number, since }: Attempts): RunState {
  return { ...run, attempts: { step, number: number + 1, since } };
}

/** When the next attempt begins, in milliseconds since the epoch; `undefined`: it is too late for one. */
export function nextAttempt(
  { everyMs, giveUpMs = Infinity }: Retry,
  { number, since, until }: Attempts,
  { now, seed }: { readonly now: number; readonly seed: string },
): number | undefined {
  if (until !== undefined) return until;
  const at = now + (everyMs ?? spread(Math.min(FIRST_MS * 2 ** (number - 1), LONGEST_MS), seed));
  return at > since + giveUpMs ? undefined : at;
}

const FIRST_MS = 1_000;
const LONGEST_MS = 60 * 60_000;

/** Many runs that failed together don't all come back at once. */
function spread(ms: number, seed: string): number {
  return Math.round(ms * (0.5 + drawn(seed) / 2));
}

/** What was refused for what it says is refused again. */
function isWorthIt({ status, error }: FailedStep): boolean {
  if (NEVER.has(error.code)) return false;
  return status === undefined || status < 400 || status >= 500 || WAITED_FOR.has(status);
}

const NEVER: ReadonlySet<string> = new Set([
  "http-not-allowed",
  "http-redirects",
  "http-too-long",
  "http-url",
]);
/** Too early, too long, too often. */
const WAITED_FOR: ReadonlySet<number> = new Set([408, 425, 429]);
