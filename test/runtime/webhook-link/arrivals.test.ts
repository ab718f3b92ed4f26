import { expect, it } from "vitest";
import { Arrivals } from "../../../src/runtime/webhook-link/arrivals.ts";

it("a challenge that anybody may have sent is counted, and proves nothing about the platform", () => {
  const arrivals = new Arrivals();
  arrivals.add({ kind: "challenge", answered: true, isFromPlatform: true }, 1_000);
  arrivals.add({ kind: "challenge", answered: true, isFromPlatform: false }, 2_000);
  arrivals.add({ kind: "challenge", answered: false, isFromPlatform: false }, 3_000);

  expect(arrivals.lastAt()).toBe(1_000);
  expect(arrivals.counts()).toEqual({
    challenges: 2,
    challengesRefused: 1,
    deliveries: 0,
    lastChallengeAt: 1_000,
  });
});
