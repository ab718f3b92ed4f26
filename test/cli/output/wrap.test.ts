import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { wrap, wrapLines } from "../../../src/cli/output/wrap.ts";

const { red } = pc.createColors(true);

describe("a long line on a terminal", () => {
  it("is broken between words, and goes on further right", () => {
    expect(wrapLines("  one two three four\nfive", 14)).toBe(
      "  one two\n      three\n      four\nfive",
    );
  });

  it("keeps the blanks within it", () => {
    expect(wrapLines("0s     dm.received from @ana", 22)).toBe("0s     dm.received\n    from @ana");
  });

  it("is measured without its colours", () => {
    expect(wrap(`${red("one")} two`, 7)).toEqual([`${red("one")} two`]);
  });

  it("limits the indent of further lines so that words fit", () => {
    expect(wrapLines(`${" ".repeat(30)}one two`, 36)).toBe(
      `${" ".repeat(30)}one\n${" ".repeat(20)}two`,
    );
  });

  it("puts a word longer than the terminal on a line of its own", () => {
    expect(wrapLines("a https://example.com/long b", 10)).toBe(
      "a\n    https://example.com/long\n    b",
    );
  });

  it("is unchanged without a terminal", () => {
    expect(wrapLines("one two three", undefined)).toBe("one two three");
  });
});
