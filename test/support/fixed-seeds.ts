import { configureGlobal } from "fast-check";

/** Seed of all random draws of the suite, so that it always finds the same. */
const FIXED_SEED = 20_260;

/**
 * Returns the seed of a test: that of the environment variable `name`, else always the same. Commands outside the suite
 * draw a different seed each time, and print it.
 */
export function seedFrom(name: string): number {
  return Number(process.env[name] ?? FIXED_SEED);
}

configureGlobal({ seed: seedFrom("FAST_CHECK_SEED") });
