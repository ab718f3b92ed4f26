import { describe, expect, it } from "vitest";
import { LONG_HANG_MS } from "../../support/hang-limit.ts";
import { findBug } from "./find-bug.ts";
import { PLANTED_BUGS } from "./planted-bugs.ts";

/** The rarest, a stopped process that sends when it goes on, shows once in some thousand seeds. */
const MOST_SEEDS = 5_000;

describe("the simulation", () => {
  it.each(PLANTED_BUGS)(
    "finds out a program that $name",
    async (bug) => {
      const found = await findBug(bug, MOST_SEEDS);

      expect(found?.seed, "the seed that finds it").toBeLessThanOrEqual(MOST_SEEDS);
      process.stdout.write(`${bug.name}: found at seed ${found?.seed}\n`);
    },
    LONG_HANG_MS,
  );
});
