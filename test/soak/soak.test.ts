import { expect, it } from "vitest";
import { seedFrom } from "../support/fixed-seeds.ts";
import { LONG_HANG_MS } from "../support/hang-limit.ts";
import { faultLines } from "./report.ts";
import { soak } from "./soak.ts";

/** Another run of the same: SOAK_SEED=7 npx vitest run test/soak */
const SEED = seedFrom("SOAK_SEED");

it(
  `a bot answers everybody once through hours of restarts, revocations, faults and clock jumps: seed ${SEED}`,
  async () => {
    const outcome = await soak({ hours: 3, seed: SEED, say: () => {} });

    expect(outcome.faults, faultLines(outcome.faults)).toEqual([]);
    expect(outcome.answered).toBe(outcome.messages);
    expect(outcome.disturbances).toBeGreaterThanOrEqual(10);
    // A day compares them; hours only show what goes far wrong.
    expect(outcome.rss_ratio).toBeLessThan(2);
    expect(outcome.handle_ratio).toBeLessThan(2);
  },
  LONG_HANG_MS,
);
