import { expect, it } from "vitest";
import { coverageShown } from "../../../src/runtime/catchup/coverage-view.ts";

const MINUTE = 60_000;

it("does not show as delivered what was missed before the clock was set back, though deliveries come", () => {
  const now = 100 * MINUTE;
  const shown = coverageShown({
    accounts: [{ id: "1", username: "bot" }],
    spans: [{ account: "1", from: 0, to: 80 * MINUTE, state: "delivered" }],
    reachable: ["1"],
    missed: [
      { account: "1", from: 85 * MINUTE, to: 120 * MINUTE },
      { account: "2", from: 0, to: now },
    ],
    window: { from: 0, to: now },
  });

  expect(shown.accounts[0]?.spans).toEqual([
    { from: 0, to: 85 * MINUTE, state: "delivered" },
    { from: 85 * MINUTE, to: 89 * MINUTE, state: "missing" },
    { from: 89 * MINUTE, to: now, state: "too-recent" },
  ]);
});
