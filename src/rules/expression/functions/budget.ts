/** Number of characters that the functions of one evaluation may process in total, which takes a few milliseconds. */
const MAX_CHARACTERS = 300_000;

let remainingCharacters = MAX_CHARACTERS;

/** Resets the budget for the next evaluation. */
export function refillBudget(): void {
  remainingCharacters = MAX_CHARACTERS;
}

/**
 * Charges characters that a function processes to the budget.
 *
 * @throws {Error} if the budget of the evaluation is exhausted.
 */
export function spend(characters: number): void {
  remainingCharacters -= characters;
  if (remainingCharacters < 0) throw new Error(`more than ${MAX_CHARACTERS} characters to look at`);
}
