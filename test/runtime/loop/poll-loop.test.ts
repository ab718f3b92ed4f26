import { describe, expect, it, vi } from "vitest";
import { when } from "../../support/when.ts";
import { pollLoop } from "../../../src/runtime/loop/poll-loop.ts";

describe("a loop at rest", () => {
  it("polls once for all its wake-up calls, however many", async () => {
    vi.useFakeTimers();
    try {
      let polls = 0;
      const poll = async () => void (polls += 1);
      const loop = pollLoop({ poll, everyMs: 1_000, restMs: 10, onError: () => {} });
      loop.wake();
      await vi.advanceTimersByTimeAsync(0);
      for (let n = 0; n < 5; n += 1) loop.wake();
      await vi.advanceTimersByTimeAsync(9);
      expect(polls).toBe(1);
      await vi.advanceTimersByTimeAsync(2);
      expect(polls).toBe(2);
      await vi.advanceTimersByTimeAsync(1_100);
      expect(polls).toBe(3);
      await loop.stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it("ends its rest when it is stopped", async () => {
    let polls = 0;
    const poll = async () => void (polls += 1);
    const loop = pollLoop({ poll, everyMs: 1_000, restMs: 600_000, onError: () => {} });
    loop.wake();
    await when(() => (polls === 1 ? true : undefined));
    loop.wake();

    await loop.stop();

    expect(polls).toBe(1);
  });
});

it("a loop polls again if it is woken in the moment in which it ends", async () => {
  let polls = 0;
  const loop = pollLoop({
    poll: async () => {
      polls += 1;
      // The second microtask runs after the loop has ended, before its promise reports the end.
      if (polls === 1) queueMicrotask(() => queueMicrotask(() => loop.wake()));
    },
    everyMs: 600_000,
    onError: () => {},
  });
  loop.wake();
  await when(() => (polls === 2 ? true : undefined));
  await loop.stop();

  expect(polls).toBe(2);
});
