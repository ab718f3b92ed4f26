import type { TraceOutcomeWord } from "../outcome/outcome-words.ts";

/**
 * How a conversation stands, by what became of the last thing that the person said:
 * `answered`; `unanswered`: nobody answers it; `waiting`: something is still to come; `held`: an answer waits for the
 * operator, or for the end of quiet hours; `failed`; `escalated`: a person was asked to take over and has not said that
 * it is done.
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
 * Returns the state of a conversation, by the outcome of its last message.
 *
 * @param reached Whether something was sent for the message: a rule that only notes something answers nobody.
 */
export function stateOfConversation(
  word: TraceOutcomeWord,
  { isEscalated, reached }: { readonly isEscalated: boolean; readonly reached: boolean },
): ConversationState {
  const state = word === "acted" && !reached ? "unanswered" : STATES[word];
  return isEscalated && state !== "failed" ? "escalated" : state;
}
