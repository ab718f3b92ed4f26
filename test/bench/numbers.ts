/** Least, median and greatest value of several rounds, which show the noise. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Returns the statistics of values; all are `NaN` for an empty list. */
export function spreadOf(values: readonly number[]): Spread {
  return { min: quantile(values, 0), median: quantile(values, 0.5), max: quantile(values, 1) };
}

/** Returns the value below which a share of `values` lies, `share` from 0 to 1. `NaN` for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[place] ?? Number.NaN;
}

/** Rounds a number to two decimals. */
export function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Formats statistics such as `5000 (4100–5300)`: the median, then least and greatest. */
export function spreadText({ min, median, max }: Spread, digits = 0): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

/** Reads a number from an environment variable such as `ROUNDS=1`, which makes a run shorter or longer. */
export function wholeNumber(name: string, otherwise: number): number {
  const value = Number(process.env[name]);
  return Number.isSafeInteger(value) && value > 0 ? value : otherwise;
}
