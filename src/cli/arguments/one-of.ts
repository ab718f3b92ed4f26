import { type Argument, InvalidArgumentError, type Option } from "commander";
import { didYouMean } from "../../text/did-you-mean.ts";

/**
 * Restricts a flag or an argument to a list of words. Help and completion show them, and other values are
 * refused with the closest word as a suggestion.
 */
export function oneOf<T extends Option | Argument>(what: T, words: readonly string[]): T {
  const takes = what.choices([...words]).parseArg;
  what.argParser((typedWord: string, before: unknown) => {
    if (words.includes(typedWord)) return takes?.(typedWord, before);
    const guess = didYouMean(typedWord, words);
    const hint = guess === undefined ? "" : `\n(Did you mean ${guess}?)`;
    throw new InvalidArgumentError(`Allowed choices are ${words.join(", ")}.${hint}`);
  });
  return what;
}

/** Log levels, from the most messages to none. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
