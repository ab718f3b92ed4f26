import { expect, it } from "vitest";
import { receptionOf } from "../../../src/host/roles/reception.ts";

it("a note has the age of arrivals in whole milliseconds, as the store requires", () => {
  let now = 1_000.25;
  const reception = receptionOf({ now: () => now });
  reception.serves();
  reception.arrived({ kind: "challenge", answered: true, isFromPlatform: true });
  reception.arrived({ kind: "delivery", account: "100" });
  expect(reception.note(1_500.5)).not.toHaveProperty("refused");
  reception.arrived({ kind: "refused", account: "100" });
  reception.arrived({ kind: "refused", account: "100" });
  now = 3_000.75;

  expect(reception.note(1_500.5)).toEqual(
    expect.objectContaining({
      steadyMs: 1_500,
      lastChallengeMs: 2_001,
      lastDeliveryMs: 2_001,
      accounts: { "100": 2_001 },
      refused: { "100": 2 },
    }),
  );
});
