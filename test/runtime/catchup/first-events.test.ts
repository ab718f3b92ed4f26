import { afterEach, expect, it, vi } from "vitest";
import { FirstEvents } from "../../../src/runtime/catchup/first-events.ts";
import { handClock } from "../../support/hand-clock.ts";

afterEach(() => void vi.restoreAllMocks());

const up = (account: string, since: number) => ({ account, reachable: true, since });

it("reads the time from the start of the process to the subscription at once, and its first seconds afterwards", () => {
  const clock = handClock(1_000);
  const first = new FirstEvents(clock);
  clock.advance(5_000);

  expect(first.begin([up("100", 16_000)])).toEqual([
    { account: "100", from: 1_000, to: 6_000, isExact: true },
  ]);
  clock.advance(9_999);
  expect(first.due()).toEqual([]);
  clock.advance(1);
  expect(first.due()).toEqual([{ account: "100", from: 6_000, to: 16_000, isExact: true }]);
  expect(first.due()).toEqual([]);
});

it("reads nothing from before an account was linked", () => {
  const clock = handClock(1_000);
  const first = new FirstEvents(clock);
  clock.advance(60_000);
  first.linked("200");
  clock.advance(500);

  expect(first.begin([up("200", 71_500)])).toEqual([
    { account: "200", from: 61_000, to: 61_500, isExact: true },
  ]);
});

it("reads nothing for an account that was subscribed before", () => {
  const clock = handClock(1_000);
  const first = new FirstEvents(clock);

  expect(first.begin([up("100", 1_000)])).toEqual([]);
  clock.advance(60_000);
  expect(first.due()).toEqual([]);
});

it("reads the time since the start if the machine's clock was ahead then, and has been corrected", () => {
  const clock = handClock(90_000_000);
  vi.spyOn(performance, "now").mockReturnValueOnce(1_000).mockReturnValueOnce(31_000);
  const first = new FirstEvents({ ...clock, jumpsAreCorrections: true });
  clock.advance(-3_600_000);
  const now = clock.now();

  expect(first.begin([up("100", now + 10_000)])).toEqual([
    { account: "100", from: now - 30_000, to: now, isExact: true },
  ]);
});
