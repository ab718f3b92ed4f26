import { configureGlobal } from "fast-check";

/** Seed of all random draws of the test suite, so that each run tests the same values. */
const FIXED_SEED = 20_260;

/**
 * Returns the seed of a test: the value of the environment variable `name`, else {@link FIXED_SEED}. Commands outside
 * the suite set the variable to a different seed each time, and print it.
 */
export function seedFrom(name: string): number {
  return Number(process.env[name] ?? FIXED_SEED);
}

configureGlobal({ seed: seedFrom("FAST_CHECK_SEED") });
