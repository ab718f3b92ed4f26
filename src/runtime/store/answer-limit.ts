/**
 * How many answers are let through within a time. An item that is one too many is kept as `held`, in the
 * transaction that queues it: so it is counted once, whatever the process did meanwhile.
 */
export interface AnswerLimit {
  /**
   * What is counted: `answers` those of the item's lane; `equal-answers` those of the lane with the same
   * text that answer the same text; `equal-posts` those of the account with the same text, whoever is answered.
   *
   * Those of a lane count also when they were held, so that who goes on at that pace goes on getting
   * nothing. Of posts count those that were not held: others than the one who is answered caused them.
   */
  readonly of: "answers" | "equal-answers" | "equal-posts";
  /** So many are let through. */
  readonly max: number;
  /** Within so many milliseconds before {@link Counted.at}. */
  readonly inMs: number;
  /** Why an item is held, for people. */
  readonly reason: string;
}

/** How an item counts as an answer. */
export interface Counted {
  /**
   * When what it answers happened, by the platform's clock: answers to what was missed over hours are
   * hours apart, though all of them are queued at once.
   */
  readonly at: number;
  /** Stands for the text that it answers. Absent: it answers none, as after a follow. */
  readonly heard?: string;
  readonly limits: readonly AnswerLimit[];
}
