/** Creates a random generator: it draws whole numbers from 0 to `below - 1`, always the same for the same seed. */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // A full-period generator modulo 2^32 (Numerical Recipes); its high bits are the better ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
