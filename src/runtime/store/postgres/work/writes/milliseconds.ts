/** Whole milliseconds: what the platform's limits tell may have fractions. */
export function ms(time: number): number {
  return Math.ceil(time);
}
