import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedFrom } from "../support/fixed-seeds.ts";
import { LONG_HANG_MS } from "../support/hang-limit.ts";
import { type Bundle, bundled } from "../support/bundle.ts";
import { DISTURBANCE_NAMES } from "./disturb.ts";
import { faultsText } from "./report.ts";
import { PROGRAM } from "./rig.ts";
import { round } from "./round.ts";

/** Another run of the same: CHAOS_SEED=7 npx vitest run test/chaos */
const SEED = seedFrom("CHAOS_SEED");

let bundle: Bundle;
beforeAll(async () => {
  bundle = await bundled([PROGRAM]);
});
afterAll(() => bundle.remove());

describe("receivers and workers that are killed, stopped and cut off", () => {
  it(
    `answer each acknowledged message once, in order, and mute nobody: seed ${SEED}`,
    async () => {
      const outcome = await round({ bundle, seed: SEED, more: 0 });

      expect(outcome.faults, faultsText(outcome, SEED)).toEqual([]);
      expect([...outcome.disturbances.keys()].toSorted()).toEqual(DISTURBANCE_NAMES.toSorted());
      expect(outcome.acknowledged).toBeGreaterThan(0);
    },
    LONG_HANG_MS,
  );
});
