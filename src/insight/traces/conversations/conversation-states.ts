import type { TraceOutcomeWord } from "../outcome/outcome-words.ts";

/**
 * States of a conversation, by the outcome of the person's last message:
 * - `answered`: the bot or an operator has answered it.
 * - `unanswered`: no rule or bot answers it.
 * - `waiting`: its outcome is still open.
 * - `held`: an answer to it waits for the operator, or for the end of quiet hours.
 * - `failed`: an error prevented the answer.
 * - `escalated`: a person was asked to take over, and the hand-over has not been resolved.
 */
export const CONVERSATION_STATES = [
  "unanswered",
  "failed",
  "held",
  "escalated",
  "waiting",
  "answered",
] as const;
/** State of a conversation: one of {@link CONVERSATION_STATES}. */
export type ConversationState = (typeof CONVERSATION_STATES)[number];

const STATES: Readonly<Record<TraceOutcomeWord, ConversationState>> = {
  answered: "answered",
  acted: "answered",
  own: "answered",
  sending: "waiting",
  waiting: "waiting",
  taken: "waiting",
  undecided: "waiting",
  held: "held",
  error: "failed",
  dropped: "unanswered",
  "cooling-down": "unanswered",
  limited: "unanswered",
  paused: "unanswered",
  "not-asked": "unanswered",
  "no-match": "unanswered",
  "no-rule": "unanswered",
};

/**
 * Returns the state of a conversation, from the outcome of the person's last message.
 *
 * @param reached Whether something was sent for the message. A rule that only logs or stores something does not answer.
 */
export function stateOfConversation(
  word: TraceOutcomeWord,
  { isEscalated, reached }: { readonly isEscalated: boolean; readonly reached: boolean },
): ConversationState {
  const state = word === "acted" && !reached ? "unanswered" : STATES[word];
  return isEscalated && state !== "failed" ? "escalated" : state;
}
