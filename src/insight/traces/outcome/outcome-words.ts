/**
 * Outcomes of an event:
 * - `answered`: something was sent for the event.
 * - `acted`: rules or bots ran, and sent nothing, or the event ended a run.
 * - `sending`: an outbox item is being sent.
 * - `waiting`: a run has not ended.
 * - `held`: an answer waits for an operator, or for the end of quiet hours.
 * - `taken`: a run took the event as the answer to its question.
 * - `error`: the decision, a run or the sending of an answer failed.
 * - `dropped`: an answer was not sent, because it expired or an operator dropped it.
 * - `cooling-down`, `limited`: a rule matched, but its cooldown or limit did not let it run.
 * - `paused`: a hand-over to a person silences the rules in the conversation.
 * - `undecided`: the bot has not decided on the event yet.
 * - `not-asked`: no rule was evaluated, for instance because the person has opted out.
 * - `own`: the account itself caused the event, and no rule listens to the account's own events.
 * - `no-match`: rules listen to the event, but none matched.
 * - `no-rule`: no rule listens to the event.
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
