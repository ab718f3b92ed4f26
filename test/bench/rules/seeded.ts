/** Draws a whole number from 0 to below `end`. */
export type Draw = (end: number) => number;

/** Creates random draws that are the same for the same seed (mulberry32). */
export function seeded(seed: number): Draw {
  let state = seed;
  return (end) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * end);
  };
}
