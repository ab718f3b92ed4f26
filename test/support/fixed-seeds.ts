import { configureGlobal } from "fast-check";

/** Seed of all that the suite draws: what it finds it finds each time. */
const FIXED_SEED = 20_260;

/**
 * Seed of a test that draws: the one that the environment's variable `name` has, else always the same. The commands
 * beside the suite draw another seed each time, and print it.
 */
export function seedFrom(name: string): number {
  return Number(process.env[name] ?? FIXED_SEED);
}

configureGlobal({ seed: seedFrom("FAST_CHECK_SEED") });
