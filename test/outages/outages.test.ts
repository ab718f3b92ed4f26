import { expect, it } from "vitest";
import { type ShapeName } from "./shapes.ts";
import { outageTrial } from "./trial.ts";

it.each<{ readonly seed: number; readonly shape: ShapeName }>([
  { seed: 1035, shape: "restart-link-cut" },
  { seed: 1056, shape: "bot-down-webhook-deleted" },
  { seed: 1057, shape: "bot-down-unsubscribed" },
  { seed: 1, shape: "one-kind-fails" },
  { seed: 2, shape: "clock-set-back" },
])(
  "the ledger vouches for nothing that did not come, and nobody is answered twice: $shape, seed $seed",
  async ({ seed, shape }) => {
    const { faults, done } = await outageTrial(seed, { shape });

    expect(faults).toEqual([]);
    expect(done).toBeGreaterThan(0);
  },
);
