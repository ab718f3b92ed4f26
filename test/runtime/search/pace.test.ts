import { describe, expect, it } from "vitest";
import { roundPaceMs } from "../../../src/runtime/search/read-query.ts";

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

describe("the pace of searching", () => {
  it.each([
    ["spreads four fifths of the limit over the window", 160, 1, 10 * MINUTE, 6_000],
    ["is slower with more queries", 160, 5, 10 * MINUTE, 30_000],
    ["leaves the last fifth to other uses until the reset", 60, 1, 5 * MINUTE, 5 * MINUTE],
    ["is never faster than two seconds", 299, 1, 1_000, 2_000],
    ["is two seconds where the platform does not count", 300, 3, 15 * MINUTE, 2_000],
  ])("%s", (_what, remaining, requests, leftMs, expected) => {
    const window = { limit: 300, remaining, resetAt: NOW + leftMs };

    expect(roundPaceMs(window, requests, NOW)).toBe(expected);
  });

  it("is a minute if the platform reports no limit", () => {
    expect(roundPaceMs(undefined, 1, NOW)).toBe(MINUTE);
  });
});
