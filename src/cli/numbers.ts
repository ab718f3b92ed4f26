import { InvalidArgumentError } from "commander";

/** A number of seconds above 0, fractions allowed. */
export function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("a number of seconds above 0.");
}

/** A whole number, 1 or more. */
export function whole(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value > 0 && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError("a whole number, 1 or more.");
}

/** A whole number, 0 or more. */
export function count(text: string): number {
  return text === "0" ? 0 : whole(text);
}

/** A fraction from 0 to 1. */
export function fraction(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("a number from 0 to 1.");
}
