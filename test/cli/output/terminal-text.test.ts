import { describe, expect, it } from "vitest";
import {
  displayWidth,
  padded,
  truncated,
  withoutControls,
} from "../../../src/cli/output/terminal-text.ts";

describe("text in a terminal", () => {
  it.each([
    { text: "a\u001B[2Jb", shown: "a [2Jb", why: "an escape sequence clears the screen" },
    { text: "two\r\nlines", shown: "two lines", why: "a line end would break the row" },
    { text: "abc\u202Edef", shown: "abc def", why: "the rest would be shown backwards" },
    { text: "grüße, 世界", shown: "grüße, 世界", why: "letters of any language stay" },
  ])("loses control characters: $why", ({ text, shown }) => {
    expect(withoutControls(text)).toBe(shown);
  });

  it.each([
    { text: "abc", width: 3 },
    { text: "世界", width: 4 },
    { text: "👩‍🚀", width: 2 },
    { text: "é", width: 1 },
  ])("$text takes $width columns", ({ text, width }) => {
    expect(displayWidth(text)).toBe(width);
  });

  it.each([
    { text: "exact", width: 5, cut: "exact" },
    { text: "longer", width: 5, cut: "long…" },
    { text: "世界世界", width: 5, cut: "世界…" },
    { text: "世界世界", width: 4, cut: "世…" },
  ])("$text is cut to $width columns", ({ text, width, cut }) => {
    expect(truncated(text, width)).toBe(cut);
    expect(displayWidth(cut)).toBeLessThanOrEqual(width);
  });

  it("is padded by columns, not by characters", () => {
    expect(padded("世", 4)).toBe("世  ");
    expect(padded("long", 2)).toBe("long");
  });
});
