import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { limitTime } from "../../../src/bots/watching/ticking.ts";

const LIMIT = 30_000;

let now: number;
let ended: number[];
beforeEach(() => {
  vi.useFakeTimers();
  now = 0;
  ended = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const begin = (): (() => void) =>
  limitTime(
    LIMIT,
    () => ended.push(now),
    () => now,
  );

/** Lets time pass while this process runs. */
function run(ms: number): void {
  now += ms;
  vi.advanceTimersByTime(ms);
}

/** Lets time pass in which this process does not run, up to its next timer. */
function standStill(ms: number): void {
  now += ms;
  vi.advanceTimersToNextTimer();
}

it("ends after its time, even if its timer is a bit late", () => {
  begin();
  run(LIMIT - 1);
  expect(ended).toEqual([]);
  standStill(1_500);

  expect(ended).toEqual([LIMIT + 1_499]);
});

it("begins again after a time in which the process did not run", () => {
  begin();
  run(10_000);
  standStill(60_000);
  expect(ended).toEqual([]);
  run(LIMIT - 1);
  expect(ended).toEqual([]);
  run(1);

  expect(ended).toEqual([100_000]);
});

it("can be stopped, also after it began again", () => {
  const stop = begin();
  standStill(60_000);
  stop();
  run(2 * LIMIT);

  expect(ended).toEqual([]);
});
