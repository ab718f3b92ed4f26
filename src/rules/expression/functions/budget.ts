/** What the functions of one evaluation may look at together, in characters: some milliseconds. */
const MAX_CHARACTERS = 300_000;

let left = MAX_CHARACTERS;

/** Lets the next evaluation spend all of it. */
export function refillBudget(): void {
  left = MAX_CHARACTERS;
}

/**
 * Counts characters that a function looks at.
 *
 * @throws {Error} when the evaluation has used up what it may.
 */
export function spend(characters: number): void {
  left -= characters;
  if (left < 0) throw new Error(`more than ${MAX_CHARACTERS} characters to look at`);
}
