import { expect, it, vi } from "vitest";
import { PlatformClock, SYSTEM_CLOCK } from "../../src/client/clock.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
const SECOND = 1_000;
const dated = (at: number) => ({ date: new Date(at).toUTCString() });

/** Creates a platform clock on a machine whose clock shows noon. `changes` gets the differences that it reports. */
function noon(aheadMs = 0) {
  const changes: number[] = [];
  const clock = new PlatformClock(
    () => NOON,
    aheadMs,
    (ms) => void changes.push(ms),
  );
  return { clock, changes };
}

it.each([
  { date: NOON, tookMs: 0, why: "the same second" },
  { date: NOON - SECOND, tookMs: 20, why: "the second before, cut off" },
  { date: NOON + SECOND, tookMs: 0, why: "the next second" },
  { date: NOON - 4 * SECOND, tookMs: 4 * SECOND, why: "an answer that took four seconds" },
])("is not moved within the precision of a header: $why", ({ date, tookMs }) => {
  const { clock, changes } = noon();
  clock.learn(dated(date), tookMs);

  expect(clock.now()).toBe(NOON);
  expect(changes).toEqual([]);
});

it("is not moved by an old answer of a cache, which has its age", () => {
  const { clock, changes } = noon();
  clock.learn({ ...dated(NOON - 600 * SECOND), age: "600" }, 20);

  expect(changes).toEqual([]);
  clock.learn({ ...dated(NOON - 600 * SECOND), age: "old" }, 20);
  expect(changes).toHaveLength(1);
});

it.each([
  { headers: {}, why: "none" },
  { headers: { date: "yesterday" }, why: "no date" },
  { headers: { date: "0.5" }, why: "a number" },
  { headers: { date: new Date(NOON + 60 * SECOND).toISOString() }, why: "no HTTP date" },
])("learns nothing from a malformed header: $why", ({ headers }) => {
  const { clock } = noon();
  clock.learn(headers, 0);

  expect(clock.aheadMs).toBe(0);
});

it("shows whole milliseconds, however long a response took", () => {
  const drifted = noon(SECOND / 2);
  drifted.clock.learn(dated(NOON - 2 * SECOND), 20.75);
  const stored = noon(-20.75);

  expect(drifted.changes).toEqual([-980]);
  expect(stored.clock.now()).toBe(NOON - 21);
});

it("shows no later a time than the platform's", () => {
  const { clock } = noon();
  clock.learn(dated(NOON - 120 * SECOND), 300);

  expect(clock.aheadMs).toBe(-120 * SECOND);
});

it("is changed by later answers only if they contradict it", () => {
  const { clock, changes } = noon();
  for (const part of [0, 400, 999, 200]) clock.learn(dated(NOON + 120 * SECOND + part), 50);

  expect(changes).toEqual([120 * SECOND]);
});

it("returns to the machine's time once that has been corrected", () => {
  const { clock } = noon(-120 * SECOND);
  clock.learn(dated(NOON), 50);

  expect(clock.now()).toBe(NOON);
});

it("follows drift in small steps", () => {
  const { clock } = noon(-10 * SECOND);
  clock.learn(dated(NOON - 12 * SECOND), 0);

  expect(clock.aheadMs).toBe(-11 * SECOND);
});

it("sleeps longer than a timer can, which is 25 days", async () => {
  const warnings = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const ending = new AbortController();
  const sleep = SYSTEM_CLOCK.sleep(2 ** 31, ending.signal);
  await new Promise((resolve) => setImmediate(resolve));
  ending.abort();

  await expect(sleep).rejects.toThrow("aborted");
  expect(warnings).not.toHaveBeenCalled();
  warnings.mockRestore();
});
