import { InvalidArgumentError } from "commander";

/** Parses a number of seconds above 0; fractions are allowed. */
export function positiveSeconds(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("It must be a number of seconds above 0.");
}

/** Parses a whole number, 1 or more. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value > 0 && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("It must be a whole number, 1 or more.");
}

/** Returns a parser of a whole number from 1 to `most`. */
export function upTo(most: number): (text: string) => number {
  return between(1, most);
}

/** Returns a parser of a whole number from `least` to `most`. */
export function between(least: number, most: number): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** Parses a whole number, 0 or more. */
export function nonNegativeInteger(text: string): number {
  return text === "0" ? 0 : positiveInteger(text);
}

/** Parses a fraction from 0 to 1. */
export function fraction(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("It must be a number from 0 to 1.");
}
