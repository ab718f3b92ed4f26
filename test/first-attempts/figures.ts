import type { Outcome } from "./follow-help.ts";

/** How many attempts come to what was meant, by the rounds of `check` that it takes. */
interface AttemptFigures {
  readonly attempts: number;
  /** Clean after one round of changes, or at once. */
  readonly one_round: number;
  readonly two_rounds: number;
  /** Clean later, or never. */
  readonly more: number;
  /** Clean, and does something else than what was meant. */
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

/** The goal: 95 % in one round, none in more than two, none advised into something else. */
export function isReached({ attempts, one_round, more, opposite }: AttemptFigures): boolean {
  return one_round >= attempts * 0.95 && more === 0 && opposite === 0;
}
