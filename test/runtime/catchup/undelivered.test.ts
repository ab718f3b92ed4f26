import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Undelivered, undeliveredEvents } from "../../../src/runtime/catchup/undelivered.ts";
import type { EntrySource, NewEntry } from "../../../src/runtime/store/entry.ts";

const SECOND = 1_000;
/** Difference between the platform's clock and the real time. */
const AHEAD_MS = 7_000_000;

let undelivered: Undelivered;
/** Stretches to read, with seconds since the start of the test. */
let readings: { readonly at: number; readonly account: string; readonly span: number[] }[];

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  readings = [];
  undelivered = undeliveredEvents({
    now: platformTime,
    monotonic: () => Date.now(),
    onDue: read,
  });
});
afterEach(() => void vi.useRealTimers());

const platformTime = () => Date.now() + AHEAD_MS;
const secondsOf = (at: number) => (at - AHEAD_MS) / SECOND;

function read(): void {
  for (const { account, from, to } of undelivered.due()) {
    const at = Date.now() / SECOND;
    readings.push({ at, account, span: [secondsOf(from), secondsOf(to)] });
  }
}

const entry = (key: string, second: number, source: EntrySource = "backfill"): NewEntry => ({
  key,
  account: "100",
  lane: "100/200",
  kind: "message",
  at: AHEAD_MS + second * SECOND,
  arrivedAt: AHEAD_MS,
  source,
  body: "{}",
});

const pass = (seconds: number) => vi.advanceTimersByTime(seconds * SECOND);
const times = () => readings.map(({ at }) => at);

it("reads an account again after growing pauses, eight times", () => {
  undelivered.appended([entry("a", -2)]);
  pass(250);
  read();
  pass(350);

  expect(times()).toEqual([1, 3, 7, 15, 30, 60, 120, 240]);
  expect(readings[0]).toEqual({ at: 1, account: "100", span: [-2, 1] });
  expect(readings.at(-1)?.span).toEqual([-2, 240]);
});

it("reads no account before its time, even if another account is due", () => {
  undelivered.appended([entry("a", 0)]);
  pass(0.5);
  undelivered.appended([{ ...entry("b", 0), account: "101" }, entry("c", 0)]);
  read();
  pass(1.5);

  expect(readings.map(({ at, account }) => [at, account])).toEqual([
    [1, "100"],
    [1.5, "101"],
  ]);
});

it("reads again only for events that were read back", () => {
  undelivered.appended([entry("a", 0, "webhook"), entry("b", 0, "replay")]);
  pass(600);

  expect(readings).toEqual([]);
});

it("does not expect deliveries of events over five minutes old", () => {
  undelivered.appended([entry("a", -300.001)]);
  pass(10);
  expect(readings).toEqual([]);

  undelivered.appended([entry("b", -283)]);
  pass(600);
  expect(times()).toEqual([11, 13, 17]);
});

it("reads from the oldest event that was not delivered", () => {
  undelivered.appended([entry("a", -30), entry("b", -20), entry("c", -10)]);
  undelivered.delivered([entry("a", -30, "webhook"), entry("b", -20, "replay")]);
  pass(1);
  expect(readings.map(({ span }) => span)).toEqual([[-20, 1]]);

  undelivered.delivered([
    entry("b", -20, "webhook"),
    entry("c", -10, "webhook"),
    { ...entry("d", -10, "webhook"), account: "101" },
  ]);
  pass(600);
  expect(times()).toEqual([1]);
});

it("begins with a short pause again once all events were delivered", () => {
  undelivered.appended([entry("a", 0)]);
  pass(7);
  undelivered.delivered([entry("a", 0, "webhook")]);
  pass(13);
  undelivered.appended([entry("b", 20)]);
  pass(1);

  expect(times()).toEqual([1, 3, 7, 21]);
});

it("reads nothing after its stop", () => {
  undelivered.appended([entry("a", 0)]);
  undelivered.stop();

  expect(vi.getTimerCount()).toBe(0);
});
