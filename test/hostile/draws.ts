/** Random draws that a seed repeats. */
export function mulberry(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    of<T>(all: readonly T[]): T {
      const one = all[below(all.length)];
      if (one === undefined) throw new Error("nothing to draw from");
      return one;
    },
  };
}
