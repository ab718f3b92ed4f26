/**
 * What became of an event, in a word:
 * `answered`: something that it asked for has been sent; `acted`: rules or bots ran, and nothing was to be sent;
 * `sending`: something is on its way; `waiting`: a run is not over; `held`: an answer waits for a person or for the
 * end of quiet hours; `taken`: a run took it as an answer; `error`: deciding, a run or a send has failed;
 * `dropped`: what was to be sent was given up; `cooling-down`, `limited`: a rule matched and may not run now;
 * `paused`: rules are silent there; `undecided`: nothing was decided yet; `not-asked`: no rule was asked, for the
 * reason told; `own`: the account itself did it, and no rule asks for that; `no-match`: no rule that listens
 * matched; `no-rule`: none listens.
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
/** One of {@link TRACE_OUTCOMES}. */
export type TraceOutcomeWord = (typeof TRACE_OUTCOMES)[number];
