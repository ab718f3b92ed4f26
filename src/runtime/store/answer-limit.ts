/**
 * Limit on the number of answers that the bot sends in a conversation within a time window. An item of the outbox above
 * the limit is stored as `held`, in the transaction that queues it. A crash and a retry therefore count the item once.
 */
export interface AnswerLimit {
  /**
   * Answers that the limit counts.
   * - `answers`: all answers in the item's lane.
   * - `equal-answers`: answers in the item's lane with the item's text, to the incoming text that the item answers.
   * - `equal-posts`: posts of the item's account with the item's text, in any lane.
   *
   * Answers of a lane count even if they were held, so that a person who keeps writing fast gets no further answers.
   * Held posts do not count: other people may have caused them, and must not block answers to this person.
   */
  readonly of: "answers" | "equal-answers" | "equal-posts";
  /** Number of answers that may be sent within the window. */
  readonly max: number;
  /** Length of the window in milliseconds. The window ends at {@link Counted.at}. */
  readonly inMs: number;
  /** Reason for holding an item, shown to people. */
  readonly reason: string;
}

/** Data that makes an item count as an answer, and the limits for it. */
export interface Counted {
  /**
   * Time of the event that the item answers, by the platform's clock. The time of queueing would be wrong: after an
   * outage, the answers to events of several hours are queued at once.
   */
  readonly at: number;
  /** Hash of the text that the item answers. Absent: the item answers no text, as after a follow. */
  readonly heard?: string;
  readonly limits: readonly AnswerLimit[];
}
