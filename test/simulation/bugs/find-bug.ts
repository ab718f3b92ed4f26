import { type SeedResult, simulate } from "../simulate.ts";
import type { PlantedBug } from "./planted-bugs.ts";

/**
 * Looks for a planted bug seed by seed, from 1 on.
 *
 * @returns The first seed in which it shows as it should, or undefined when none up to `most` does.
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
