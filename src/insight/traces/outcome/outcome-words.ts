/**
 * Outcomes of an event:
 * - `answered`: something was sent for the event.
 * - `acted`: rules or bots ran, and sent nothing.
 * - `sending`: an item is under way.
 * - `waiting`: a run is unfinished.
 * - `held`: an answer waits for a person or for the end of quiet hours.
 * - `taken`: a run took the event as an answer.
 * - `error`: deciding, a run or a send failed.
 * - `dropped`: an answer was given up.
 * - `cooling-down`, `limited`: a rule matched and may not run now.
 * - `paused`: rules are silent in the conversation.
 * - `undecided`: no decision yet.
 * - `not-asked`: no rule was evaluated, for the given reason.
 * - `own`: the account itself did it, and no rule listens to its own events.
 * - `no-match`: no listening rule matched.
 * - `no-rule`: no rule listens.
 */
export const TRACE_OUTCOMES = [
  "answered",
  "acted",
  "sending",
  "waiting",
  "held",
  "taken",
  "error",
  "dropped",
  "cooling-down",
  "limited",
  "paused",
  "undecided",
  "not-asked",
  "own",
  "no-match",
  "no-rule",
] as const;
/** Outcome: a member of {@link TRACE_OUTCOMES}. */
export type TraceOutcomeWord = (typeof TRACE_OUTCOMES)[number];
