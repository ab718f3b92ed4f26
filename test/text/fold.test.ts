import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { fold } from "../../src/text/fold.ts";
import { containsWord } from "../../src/text/words.ts";

describe("folded text", () => {
  test.each([
    { text: "HELLO", folded: "hello", why: "case" },
    { text: "ＷＩＤＥ", folded: "wide", why: "wide letters" },
    { text: "ﬁne", folded: "fine", why: "ligatures" },
    { text: "Ärger", folded: "ärger", why: "letters outside ASCII" },
    { text: "a\tb", folded: "a b", why: "white space" },
    { text: "1\ufe0f\u20e3", folded: "1", why: "the frame of a keycap emoji" },
    { text: "#\u20e3 10\u20e3", folded: "# 10", why: "the frame without a presentation selector" },
  ])("makes $text $folded: $why", ({ text, folded }) => {
    expect(fold(text)).toBe(folded);
  });

  it("of ASCII is the same whichever way it was worked out", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        expect(fold(text)).toBe(fold(`${text}é`).slice(0, -1));
      }),
    );
  });
});

describe("a whole word", () => {
  test.each([
    { text: "cat", word: "cat", isMatch: true, why: "the whole text" },
    { text: "(cat)", word: "cat", isMatch: true, why: "punctuation ends a word" },
    { text: "cat_", word: "cat", isMatch: false, why: "an underscore does not" },
    { text: "cat1", word: "cat", isMatch: false, why: "nor does a digit" },
    { text: "concat cat", word: "cat", isMatch: true, why: "the second place counts, too" },
    { text: "𝒳cat", word: "cat", isMatch: false, why: "a letter of two units touches it" },
    { text: "c++ now", word: "c++", isMatch: true, why: "a word may end in a sign" },
    { text: "c++x", word: "c++", isMatch: true, why: "and then nothing can touch that end" },
    { text: "anything", word: "", isMatch: false, why: "no word is not in any text" },
  ])("$word stands in $text ($isMatch): $why", ({ text, word, isMatch }) => {
    expect(containsWord(text, word)).toBe(isMatch);
  });
});
