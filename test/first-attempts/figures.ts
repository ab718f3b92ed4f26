import type { Outcome } from "./follow-help.ts";

/** Numbers of attempts that reached valid rules with the intended meaning, by the rounds of `check` that they took. */
interface AttemptFigures {
  readonly attempts: number;
  /** Number of attempts without problems after at most one round of changes. */
  readonly one_round: number;
  readonly two_rounds: number;
  /** Number of attempts without problems after more rounds, or never. */
  readonly more: number;
  /** Number of attempts without problems whose rules do something else than intended. */
  readonly opposite: number;
}

export function figuresOf(outcomes: readonly Outcome[]): AttemptFigures {
  const count = (is: (outcome: Outcome) => boolean): number => outcomes.filter(is).length;
  return {
    attempts: outcomes.length,
    one_round: count(({ rounds = 9, isMeant }) => isMeant && rounds <= 1),
    two_rounds: count(({ rounds, isMeant }) => isMeant && rounds === 2),
    more: count(({ rounds = 9, isMeant }) => rounds === 9 || (isMeant && rounds > 2)),
    opposite: count(({ rounds, isMeant }) => rounds !== undefined && !isMeant),
  };
}

/**
 * Whether the goal is reached: 95 % of the attempts need at most one round, and none needs more than two. No resulting
 * file may do something that its author did not intend.
 */
export function isReached({ attempts, one_round, more, opposite }: AttemptFigures): boolean {
  return one_round >= attempts * 0.95 && more === 0 && opposite === 0;
}
