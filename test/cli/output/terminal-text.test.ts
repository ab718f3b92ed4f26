import { describe, expect, it } from "vitest";
import { displayWidth, padded, truncated } from "../../../src/cli/output/terminal-text.ts";
import { visible, visibleLines } from "../../../src/text/unseen.ts";

describe("text in a terminal", () => {
  it.each([
    { text: "a\u001B[2Jb", shown: "a\\u001b[2Jb", why: "an escape sequence clears the screen" },
    { text: "a\u009B2Jb", shown: "a\\u009b2Jb", why: "so does one that begins with a single sign" },
    { text: "two\r\nlines", shown: "two\\r\\nlines", why: "a line end would break the row" },
    { text: "abc\u202Edef", shown: "abc\\u202edef", why: "the rest would be shown backwards" },
    { text: "a\u200Fb\u061Cc", shown: "a\\u200fb\\u061cc", why: "marks turn what is beside them" },
    { text: "pay\u200Bpal", shown: "pay\\u200bpal", why: "two words look like one" },
    { text: "half \uD83D", shown: "half \\ud83d", why: "half a sign is none" },
    { text: "👩‍🚀 می‌خواهم", shown: "👩‍🚀 می‌خواهم", why: "what joins signs and letters stays" },
    { text: "grüße, 世界", shown: "grüße, 世界", why: "letters of any language stay" },
  ])("shows control characters as escapes: $why", ({ text, shown }) => {
    expect(visible(text)).toBe(shown);
  });

  it("of several lines keeps them, each with an indent", () => {
    expect(visibleLines("one\r\ntwo\u001B[2J\nthree", "  ")).toBe("one\n  two\\u001b[2J\n  three");
  });

  it.each([
    { text: "abc", width: 3 },
    { text: "世界", width: 4 },
    { text: "👩‍🚀", width: 2 },
    { text: "é", width: 1 },
    { text: "❤️", width: 2 },
    { text: "𠮷", width: 2 },
    { text: "ที่", width: 1 },
    { text: "น้ำ", width: 2 },
    { text: "ນ້ຳ", width: 2 },
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
