import { expect, it } from "vitest";
import { faultLines } from "./report.ts";
import { soak } from "./soak.ts";

/** Another run of the same: SOAK_SEED=7 npx vitest run test/soak */
const SEED = Number(process.env["SOAK_SEED"] ?? Date.now() % 1_000_000);
const LONG_MS = 300_000;

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
  LONG_MS,
);
