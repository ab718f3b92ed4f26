/** Least, median and greatest of what several rounds gave: how far noise went is part of the answer. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** `NaN` throughout for no values. */
export function spreadOf(values: readonly number[]): Spread {
  return { min: quantile(values, 0), median: quantile(values, 0.5), max: quantile(values, 1) };
}

/** The value below which a share of `values` lies, `share` from 0 to 1. `NaN` for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return sorted[place] ?? Number.NaN;
}

/** With two digits after the point. */
export function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

/** `5000 (4100–5300)`: the median and how far the rounds were apart. */
export function spreadText({ min, median, max }: Spread, digits = 0): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

/** The variable `name` of the environment, for a shorter or longer run: `ROUNDS=1`. */
export function wholeNumber(name: string, otherwise: number): number {
  const value = Number(process.env[name]);
  return Number.isSafeInteger(value) && value > 0 ? value : otherwise;
}
