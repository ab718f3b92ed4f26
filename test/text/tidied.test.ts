import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { tidy } from "../../src/text/fold.ts";
import { tidied } from "../../src/text/tidied.ts";

describe("a tidied text", () => {
  test.each([
    { text: "Order 2½ kg", sought: "2 1⁄2 kg", held: undefined, why: "no blank in a fraction" },
    { text: "Order 2½ kg", sought: "21⁄2 kg", held: "2½ kg", why: "a fraction" },
    { text: "30 m²", sought: "m2", held: "m²", why: "a raised digit" },
    { text: "10⁵", sought: "105", held: "10⁵", why: "an exponent" },
    { text: "x 1⁄2½", sought: "2", held: "2", why: "a digit that stands there" },
    { text: "½", sought: "1", held: "½", why: "a part of a character is all of it" },
    { text: "eﬃcient", sought: "ffi", held: "ﬃ", why: "a ligature" },
    { text: "a\r\n\tb", sought: "a b", held: "a\r\n\tb", why: "a run of white space" },
    { text: "می‌خواهم", sought: "میخواهم", held: "می‌خواهم", why: "a non-joiner" },
    {
      text: "cafe\u0301 noir",
      sought: "café noir",
      held: "cafe\u0301 noir",
      why: "an accent of its own",
    },
    { text: "I’m “in”", sought: 'I\'m "in"', held: "I’m “in”", why: "curly quotes" },
    { text: "İIı", sought: "Iı", held: "Iı", why: "letters with and without dots" },
    { text: "ﾊﾟｿｺﾝ", sought: "パソ", held: "ﾊﾟｿ", why: "half width kana with its mark apart" },
    { text: " \u200b hi \u200b", sought: "hi", held: "hi", why: "nothing around it" },
    { text: "की", sought: "क", held: "क", why: "a letter without its mark, where that is sought" },
    { text: "a👩‍👩‍👧b", sought: "👩‍👩‍👧", held: "👩‍👩‍👧", why: "a family" },
    { text: "I ❤️ it", sought: "❤", held: "❤️", why: "what chooses the looks of a picture" },
    { text: "𝓢𝓐𝓛𝓔 now", sought: "SALE", held: "𝓢𝓐𝓛𝓔", why: "characters of two units" },
    { text: "여행 가자", sought: "행 가", held: "행 가", why: "syllables" },
    { text: "well…", sought: "well...", held: "well…", why: "an ellipsis" },
  ])("has $sought where $text has $held: $why", ({ text, sought, held }) => {
    const one = tidied(text);
    const start = one.text.indexOf(sought);

    expect(start < 0 ? undefined : one.original(start, start + sought.length)).toBe(held);
  });

  it("is the text that patterns search; the whole of it corresponds to the whole original", () => {
    for (const unit of ["binary", "grapheme"] as const) {
      fc.assert(
        fc.property(fc.string({ unit }), (written) => {
          const { text, original } = tidied(written);
          const whole = original(0, text.length);

          expect(text).toBe(tidy(written).trim());
          expect(written).toContain(whole);
          expect(tidy(whole).trim()).toBe(text);
        }),
      );
    }
  });
});
