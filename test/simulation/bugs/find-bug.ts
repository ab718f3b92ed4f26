import { type SeedResult, simulate } from "../simulate.ts";
import type { PlantedBug } from "./planted-bugs.ts";

/**
 * Tries to detect a planted bug with one seed after the other, from 1.
 *
 * @returns The result of the first seed that detects the bug; undefined if no seed up to `most` detects it.
 */
export async function findBug(
  { plant, shows }: PlantedBug,
  most: number,
): Promise<SeedResult | undefined> {
  for (let seed = 1; seed <= most; seed++) {
    const result = await simulate({ seed, plant });
    if (result.problems.some(({ kind }) => kind === shows)) return result;
  }
  return undefined;
}
