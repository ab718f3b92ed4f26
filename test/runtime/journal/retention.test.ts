import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startRetention } from "../../../src/runtime/journal/retention.ts";
import { openLog } from "../../../src/runtime/log.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.UTC(2026, 0, 31);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts a retention. `prunes` has the times before which data was deleted. */
function retaining(over: { isKnown?: boolean; now?: number; error?: Error } = {}) {
  const prunes: number[] = [];
  const state = { isKnown: true, now: NOW, ...over };
  const retention = startRetention({
    store: {
      async prune({ before }) {
        if (state.error !== undefined) throw state.error;
        return prunes.push(before);
      },
    },
    clock: { now: () => state.now, onJump: () => () => {}, isKnown: () => state.isKnown },
    log: openLog({ level: "silent" }),
  });
  return { prunes, state, retention };
}

it("deletes data of more than 30 days ago, at the start and once an hour", async () => {
  const { prunes, retention } = retaining();
  await vi.advanceTimersByTimeAsync(59 * MINUTE);
  expect(prunes).toEqual([NOW - 30 * DAY]);
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  await retention.stop();

  expect(prunes).toHaveLength(2);
});

it("deletes nothing before the platform's time is known: the machine's clock may be wrong", async () => {
  const { prunes, state, retention } = retaining({ isKnown: false, now: NOW + 365 * DAY });
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  [state.isKnown, state.now] = [true, NOW];
  await vi.advanceTimersByTimeAsync(MINUTE);
  await retention.stop();

  expect(prunes).toEqual([NOW - 30 * DAY]);
});

it("tries again after a minute if the store fails", async () => {
  const { prunes, state, retention } = retaining({ error: new Error("the disk is full") });
  await vi.advanceTimersByTimeAsync(0);
  delete state.error;
  await vi.advanceTimersByTimeAsync(MINUTE);
  await retention.stop();

  expect(prunes).toHaveLength(1);
});
