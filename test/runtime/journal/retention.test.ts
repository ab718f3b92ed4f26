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

/**
 * Lets minutes pass for the retention. The event loop does not turn meanwhile, so that loops of other tests in this
 * process, which wait for a disk or a server, do not run through the same minutes.
 */
async function pass(minutes: number): Promise<void> {
  await microtasks();
  for (let minute = 0; minute < minutes; minute += 1) {
    vi.advanceTimersByTime(MINUTE);
    await microtasks();
  }
}

async function microtasks(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

it("deletes data of more than 30 days ago, at the start and once an hour", async () => {
  const { prunes, retention } = retaining();
  await pass(59);
  expect(prunes).toEqual([NOW - 30 * DAY]);
  await pass(2);
  await retention.stop();

  expect(prunes).toHaveLength(2);
});

it("deletes nothing before the platform's time is known: the machine's clock may be wrong", async () => {
  const { prunes, state, retention } = retaining({ isKnown: false, now: NOW + 365 * DAY });
  await pass(10);
  [state.isKnown, state.now] = [true, NOW];
  await pass(1);
  await retention.stop();

  expect(prunes).toEqual([NOW - 30 * DAY]);
});

it("tries again after a minute if the store fails", async () => {
  const { prunes, state, retention } = retaining({ error: new Error("the disk is full") });
  await pass(0);
  delete state.error;
  await pass(1);
  await retention.stop();

  expect(prunes).toHaveLength(1);
});
