import { describe, expect, it, test } from "vitest";
import { StreamBackoff } from "../../../src/client/streaming/backoff.ts";
import { Coverage } from "../../../src/client/streaming/coverage.ts";
import { linesOf } from "../../../src/client/streaming/follow.ts";
import { SeenIds } from "../../../src/client/streaming/seen-ids.ts";
import { hasStalled } from "../../../src/client/streaming/stall-watch.ts";
import { refusalOf } from "../../../src/client/http/problem.ts";
import { UnreachableError } from "../../../src/client/errors.ts";
import { clientHandClock } from "./client-hand-clock.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe("the lines of a stream", () => {
  async function* chunks(...texts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
    for (const text of texts) yield Buffer.from(text);
  }
  const snowman = Buffer.from("☃");

  test.each([
    { of: ["a\r\nb\r\n"], are: ["a", "b"], why: "two in a piece" },
    { of: ["a", "b\r", "\nc\r\n"], are: ["ab", "c"], why: "one in pieces" },
    { of: ["a\r\n\r\n\r\nb\r\n"], are: ["a", "", "", "b"], why: "empty ones between" },
    { of: ["a\nb\n"], are: ["a", "b"], why: "short line ends" },
    { of: ["a\r\nb"], are: ["a"], why: "a last one that broke off" },
    { of: [snowman.subarray(0, 1), snowman.subarray(1), "\r\n"], are: ["☃"], why: "cut letters" },
  ])("are $are for $why", async ({ of, are }) => {
    const lines: string[] = [];
    for await (const line of linesOf(chunks(...of))) lines.push(line);

    expect(lines).toEqual(are);
  });
});

describe("ids that were seen", () => {
  it("are remembered for one period, and forgotten after two", () => {
    let now = 0;
    const seen = new SeenIds(() => now, 10);
    const added = [0, 9, 10, 19, 20, 40].map((at) => {
      now = at;
      return [seen.add("a"), seen.add(`at ${at}`)];
    });

    expect(added).toEqual([
      [true, true],
      [false, true],
      [false, true],
      [false, true],
      [true, true],
      [false, true],
    ]);
  });
});

describe("waits before a stream is connected again", () => {
  const lost = new UnreachableError("no", {
    endpoint: "",
    sent: "no",
    ended: "connection",
    safe: true,
  });
  const refusal = (status: number, body: unknown = {}, headers: Record<string, string> = {}) =>
    refusalOf(body, {
      endpoint: "",
      status,
      headers,
      safe: true,
      afterUnknown: false,
      redact: String,
    });
  const waits = (error: typeof lost | ReturnType<typeof refusal>, times: number): unknown[] => {
    const backoff = new StreamBackoff();
    return Array.from({ length: times }, () => backoff.afterFailure(error, 0));
  };
  const budget = (remaining: number): Record<string, string> => ({
    "x-rate-limit-limit": "50",
    "x-rate-limit-remaining": String(remaining),
    "x-rate-limit-reset": "90",
  });
  const daily = (whose: "app" | "user"): Record<string, string> => ({
    [`x-${whose}-limit-24hour-limit`]: "500",
    [`x-${whose}-limit-24hour-remaining`]: "0",
    [`x-${whose}-limit-24hour-reset`]: "7200",
  });

  test.each([
    { error: lost, are: [0, 250, 500, 750], why: "none and then steps, after the network" },
    { error: refusal(503), are: [5, 10, 20, 40].map((s) => s * SECOND), why: "doubling" },
    { error: refusal(429), are: [1, 2, 4].map((m) => m * MINUTE), why: "from a minute, limited" },
    { error: refusal(429, {}, budget(0)), are: [90_000, 90_000], why: "up to the reset" },
    { error: refusal(429, {}, budget(9)), are: [MINUTE], why: "a minute, with budget left" },
    {
      error: refusal(429, {}, { ...budget(9), ...daily("app") }),
      are: [7_200_000, 7_200_000],
      why: "up to the reset of the app's day",
    },
    {
      error: refusal(429, {}, { ...budget(0), ...daily("user") }),
      are: [7_200_000],
      why: "up to the last reset, if several budgets are exhausted",
    },
    {
      error: refusal(429, { title: "ConnectionException" }),
      are: [5 * SECOND, 10 * SECOND],
      why: "doubling, while an old connection still counts",
    },
    {
      error: refusal(403, "<html><title>Just a moment...</title></html>"),
      are: [5 * SECOND, 10 * SECOND],
      why: "doubling, refused by a firewall",
    },
    { error: refusal(401), are: [undefined], why: "no other try, refused for good" },
    { error: refusal(409), are: [undefined], why: "no other try, without rules" },
  ])("are $are: $why", ({ error, are }) => {
    expect(waits(error, are.length)).toEqual(are);
  });

  it("grow up to 16 seconds after network errors, and to five minutes after refusals", () => {
    expect(waits(lost, 100).at(-1)).toBe(16 * SECOND);
    expect(waits(refusal(500), 20).at(-1)).toBe(320 * SECOND);
  });

  it("start again from the shortest once data has arrived", () => {
    const backoff = new StreamBackoff();
    backoff.afterNetwork();
    backoff.afterNetwork();
    backoff.reset();

    expect(backoff.afterNetwork()).toBe(0);
  });
});

describe("the progress of a stream", () => {
  it("requests no backfill at first, then for the minutes since the break", () => {
    const coverage = new Coverage();
    expect(coverage.backfillMinutes(0)).toBe(0);
    coverage.connected(0, 0);
    coverage.alive(10 * SECOND);
    coverage.broken();

    expect([11, 65, 66, 245, 246, 5_000].map((s) => coverage.backfillMinutes(s * SECOND))).toEqual([
      1, 1, 2, 4, 5, 5,
    ]);
  });

  it("closes a gap once a post arrives that is newer than the connection", () => {
    const coverage = new Coverage();
    coverage.connected(0, 0);
    coverage.broken();
    coverage.connected(30 * SECOND, 1);

    expect(coverage.passed(29 * SECOND, 31 * SECOND)).toBeUndefined();
    expect(coverage.passed(30 * SECOND, 31 * SECOND)).toEqual({ from: 0, to: 30 * SECOND });
    expect(coverage.passed(31 * SECOND, 31 * SECOND)).toBeUndefined();
  });

  it("keeps the beginning of a gap if the connection breaks before the gap is closed", () => {
    const coverage = new Coverage();
    coverage.connected(0, 0);
    coverage.broken();
    coverage.connected(30 * SECOND, 1);
    coverage.alive(31 * SECOND);
    coverage.broken();

    expect(coverage.backfillMinutes(100 * SECOND)).toBe(2);
  });

  it("requests the first connection's backfill again if the connection breaks during it", () => {
    const coverage = new Coverage();
    coverage.connected(10 * MINUTE, 4);
    coverage.passed(7 * MINUTE, 10 * MINUTE);
    coverage.alive(10 * MINUTE);
    coverage.broken();

    expect(coverage.backfillMinutes(10 * MINUTE)).toBe(5);
    expect(coverage.connected(13 * MINUTE, 5)).toEqual({
      from: 6 * MINUTE,
      to: 8 * MINUTE + 5 * SECOND,
    });
  });

  it("reports no gap if the first connection's backfill arrives", () => {
    const coverage = new Coverage();
    coverage.connected(10 * MINUTE, 4);
    expect(coverage.passed(10 * MINUTE, 10 * MINUTE)).toBeUndefined();
    coverage.alive(11 * MINUTE);
    coverage.broken();

    expect(coverage.backfillMinutes(11 * MINUTE)).toBe(1);
  });

  it("reports a time that is too long ago for backfill", () => {
    const coverage = new Coverage();
    coverage.connected(0, 0);
    coverage.broken();

    expect(coverage.connected(10 * MINUTE, 5)).toEqual({ from: 0, to: 5 * MINUTE + 5 * SECOND });
    expect(coverage.passed(Infinity, 11 * MINUTE)).toEqual({
      from: 5 * MINUTE + 5 * SECOND,
      to: 10 * MINUTE,
    });
  });
});

describe("a silent connection", () => {
  it("counts as stalled when the time since its last byte is over", async () => {
    const clock = clientHandClock(0);
    let last = 0;
    const connection = { lastByteAt: () => last, isHeldBack: () => false };
    const stalled = hasStalled(clock, connection, 30, new AbortController().signal);
    clock.advance(20);
    last = 20;
    clock.advance(10);
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(clock.due).toEqual([50]);
    clock.advance(20);

    expect(await stalled).toBe(true);
  });

  it("does not count as stalled while received data waits to be read", async () => {
    const clock = clientHandClock(0);
    const over = new AbortController();
    const connection = { lastByteAt: () => 0, isHeldBack: () => true };
    const stalled = hasStalled(clock, connection, 30, over.signal);
    clock.advance(30);
    await new Promise((resolve) => setImmediate(resolve));
    expect(clock.due).toEqual([60]);
    over.abort();

    expect(await stalled).toBe(false);
  });

  it("gets its time again if the clock jumped", async () => {
    const clock = clientHandClock(0);
    const over = new AbortController();
    const connection = { lastByteAt: () => 0, isHeldBack: () => false };
    const stalled = hasStalled(clock, connection, 30 * SECOND, over.signal);
    clock.advance(60 * MINUTE);
    await new Promise((resolve) => setImmediate(resolve));
    expect(clock.due).toEqual([60 * MINUTE + 30 * SECOND]);
    over.abort();

    expect(await stalled).toBe(false);
  });
});
