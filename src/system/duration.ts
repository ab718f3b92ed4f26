const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Form of a duration: `500ms`, `10s`, `10m`, `24h`, `180d`. */
export const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;

/**
 * Converts `10m`, `24h` or `180d` to milliseconds.
 *
 * @throws {RangeError} if `text` is not a duration.
 */
export function durationMs(text: string): number {
  const [, count, unit = ""] = DURATION.exec(text) ?? [];
  const scale = UNITS[unit];
  if (count === undefined || scale === undefined) {
    throw new RangeError(`"${text}" is not a duration: write a number and ms, s, m, h or d`);
  }
  return Number(count) * scale;
}

/** Formats milliseconds in the largest unit that gives a whole number: 600 000 becomes `10m`, 90 000 becomes `90s`. */
export function durationInWords(ms: number): string {
  const whole = Object.entries(UNITS).filter(([, scale]) => ms % scale === 0);
  const [unit, scale] = whole.at(-1) ?? ["ms", 1];
  return `${ms / scale}${unit}`;
}
