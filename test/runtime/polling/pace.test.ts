import { describe, expect, it } from "vitest";
import { paceMs } from "../../../src/runtime/polling/list-reader.ts";

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

describe("the pace of polling", () => {
  it.each([
    ["spreads what is left over the rest of the window", 14, 14 * MINUTE, MINUTE],
    ["goes faster towards the end of a window that was not used up", 10, MINUTE, 6_000],
    ["waits for the end of a window that is used up", 0, 5 * MINUTE, 5 * MINUTE],
    ["is never faster than two seconds", 14, 1_000, 2_000],
    ["is two seconds where the platform does not count", 15, 15 * MINUTE, 2_000],
  ])("%s", (_what, remaining, leftMs, expected) => {
    expect(paceMs({ limit: 15, remaining, resetAt: NOW + leftMs }, NOW)).toBe(expected);
  });

  it("is a minute if the platform reports no limit", () => {
    expect(paceMs(undefined, NOW)).toBe(MINUTE);
  });
});
