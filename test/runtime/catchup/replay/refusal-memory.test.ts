import { expect, it } from "vitest";
import type { EndedJob } from "../../../../src/runtime/catchup/replay/replay-runner.ts";
import { refusalMemory } from "../../../../src/runtime/catchup/replay/refusal-memory.ts";
import { handClock } from "../../../support/hand-clock.ts";

const DAY = 24 * 60 * 60_000;

const ended = (outcome: EndedJob["outcome"], reason?: string): EndedJob => ({
  job: { from: 0, to: 1, by: "gap", askedAt: 0, attempts: 1 },
  outcome,
  ...(reason !== undefined && { reason }),
});

it("remembers a refusal for a day, also after a set-back of the clock", () => {
  const clock = handClock();
  const memory = refusalMemory(clock);
  expect(memory.reason()).toBeUndefined();

  memory.take(ended("refused", "no plan"));
  clock.advance(DAY - 1);
  expect(memory.reason()).toBe("no plan");
  clock.advance(1);
  expect(memory.reason()).toBeUndefined();
  clock.advance(1 - 2 * DAY);
  expect(memory.reason()).toBe("no plan");
  clock.advance(-1);
  expect(memory.reason()).toBeUndefined();
});

it("forgets a refusal after a completed replay, and only then", () => {
  const memory = refusalMemory(handClock());
  memory.take(ended("refused"));
  expect(memory.reason()).toBe("");
  memory.take(ended("too-old"));
  expect(memory.reason()).toBe("");
  memory.take(ended("complete"));
  expect(memory.reason()).toBeUndefined();
});

it("returns the lasting reason of a transport without replays", () => {
  const memory = refusalMemory(handClock(), "polling has no replays");
  memory.take(ended("complete"));

  expect(memory.reason()).toBe("polling has no replays");
});
