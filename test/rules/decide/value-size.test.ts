import { describe, expect, test } from "vitest";
import { isWithin } from "../../../src/rules/expression/value-size.ts";

/** Creates lists that are nested `depth` times. */
function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at += 1) value = [value];
  return value;
}

const shared = ["a".repeat(10)];

describe("the size of a value", () => {
  test.each([
    { why: "a text as long as it may be", value: "a".repeat(98), isSmall: true },
    { why: "a text with a character more", value: "a".repeat(99), isSmall: false },
    { why: "as many numbers as there may be", value: Array(24).fill(1), isSmall: true },
    { why: "a number more", value: Array(25).fill(1), isSmall: false },
    { why: "a map of texts", value: new Map([["k", "a".repeat(94)]]), isSmall: true },
    { why: "a map of longer texts", value: new Map([["k", "a".repeat(95)]]), isSmall: false },
    { why: "an object of texts", value: { k: "a".repeat(94) }, isSmall: true },
    { why: "an object of longer texts", value: { k: "a".repeat(95) }, isSmall: false },
    {
      why: "a list that stands in it often",
      value: Array.from({ length: 6 }, () => shared),
      isSmall: true,
    },
    {
      why: "a list that stands in it too often",
      value: Array.from({ length: 7 }, () => shared),
      isSmall: false,
    },
    { why: "nothing", value: undefined, isSmall: true },
  ])("is within the bound: $isSmall, $why", ({ value, isSmall }) => {
    expect(isWithin(value, 100)).toBe(isSmall);
  });

  test.each([
    { depth: 50, isSmall: true },
    { depth: 51, isSmall: false },
  ])("is within the bound: $isSmall, lists in lists, $depth deep", ({ depth, isSmall }) => {
    expect(isWithin(nested(depth), 100_000)).toBe(isSmall);
  });
});
