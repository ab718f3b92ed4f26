/** Random draws that are the same for the same seed. */
export interface Draws {
  /** Returns a uniform number in [0, 1). */
  unit(): number;
  /** Returns a whole number from 0 to `below - 1`. */
  below(below: number): number;
  /** Returns a uniform number in [`from`, `to`). */
  between(from: number, to: number): number;
  /** Returns `true` with the probability `p`. */
  chance(p: number): boolean;
  oneOf<T>(list: readonly [T, ...T[]]): T;
  /** Returns independent draws, so that additional draws elsewhere change nothing here. */
  fork(): Draws;
}

/** @param seed A whole number; neighbouring seeds give unrelated draws. */
export function drawsOf(seed: number): Draws {
  let state = mixed(seed);
  // Mulberry32: its 32 bits of state give some billions of different seeds.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mixed(state);
  };
  const unit = (): number => next() / 2 ** 32;
  const below = (n: number): number => Math.floor(unit() * n);
  return {
    unit,
    below,
    between: (from, to) => from + unit() * (to - from),
    chance: (p) => unit() < p,
    oneOf: (list) => list[below(list.length)] ?? list[0],
    fork: () => drawsOf(next()),
  };
}

function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 15), value | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return (bits ^ (bits >>> 14)) >>> 0;
}
