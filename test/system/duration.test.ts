import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { durationMs } from "../../src/system/duration.ts";

describe("a duration", () => {
  test.each([
    ["500ms", 500],
    ["10s", 10_000],
    ["10m", 600_000],
    ["24h", 86_400_000],
    ["180d", 15_552_000_000],
    ["0s", 0],
  ])("%s is %d ms", (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  test.each(["", "10", "10 m", "-1s", "1.5h", "1w", "1h30m", "9999999999s"])(
    "%j is refused, with what to write",
    (text) => {
      expect(() => durationMs(text)).toThrow(/is not a duration: write a number and ms, s, m, h/);
    },
  );

  it("grows with its number", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.constantFrom("ms", "s", "m", "h", "d"), (count, unit) => {
        expect(durationMs(`${count + 1}${unit}`)).toBeGreaterThan(durationMs(`${count}${unit}`));
      }),
    );
  });
});
