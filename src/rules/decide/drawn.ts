import { fingerprint } from "../compile/fingerprint.ts";

/** A number in [0, 1) that is the same for the same seed, and else as good as drawn by lot. */
export function drawn(seed: string): number {
  return Number.parseInt(fingerprint(seed), 16) / 2 ** 53;
}
