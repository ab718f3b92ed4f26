import fc from "fast-check";
import { expect, it } from "vitest";
import { cut } from "../../../src/protocol/public-text/cut.ts";

it.each([
  { text: "hello", length: 5, shown: "hello", why: "it fits" },
  { text: "hello there", length: 6, shown: "hello…", why: "the ellipsis counts" },
  { text: "hello", length: 1, shown: "…", why: "nothing else has room" },
  { text: "hello", length: 0, shown: "", why: "nothing has room" },
  { text: "👨‍👩‍👧‍👦👨‍👩‍👧‍👦", length: 8, shown: "👨‍👩‍👧‍👦…", why: "a family stays whole" },
  { text: "👨‍👩‍👧‍👦👨‍👩‍👧‍👦", length: 7, shown: "…", why: "or goes as a whole" },
  {
    text: "e\u0301e\u0301e\u0301",
    length: 4,
    shown: "e\u0301…",
    why: "an accent stays with its letter",
  },
  { text: "🇳🇴🇯🇵🇳🇴", length: 4, shown: "🇳🇴…", why: "a flag is two letters" },
  {
    text: "see https://shop.example/a/b now",
    length: 20,
    shown: "see …",
    why: "a link stays whole",
  },
  { text: "see shop.com/abc", length: 10, shown: "see …", why: "also without a protocol" },
  {
    text: "see shop.com/abc and more",
    length: 18,
    shown: "see shop.com/abc …",
    why: "a link that fits stays",
  },
  { text: "ask @anabelle now", length: 9, shown: "ask …", why: "half a handle is another person" },
  { text: "ask @ana now", length: 9, shown: "ask @ana…", why: "a handle that fits stays" },
  { text: "見て＠anabelleさん", length: 7, shown: "見て…", why: "also beside other scripts" },
  { text: "@anabelle_the_great", length: 9, shown: "…", why: "nor does a cut make a mention" },
  { text: "กำลังทำงาน", length: 4, shown: "กำ…", why: "a Thai vowel stays with its letter" },
  { text: "नमस्ते दुनिया", length: 6, shown: "नम…", why: "a Hindi syllable stays whole" },
])("'$text' cut to $length is '$shown': $why", ({ text, length, shown }) => {
  expect(cut(text, length)).toBe(shown);
});

it("a cut text is never longer than it may be, and begins as the text does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.nat(60), (text, length) => {
      const shown = cut(text, length);
      const points = Array.from(shown);

      expect(points.length).toBeLessThanOrEqual(length);
      expect(text.startsWith(shown === text ? shown : shown.replace(/…$/, ""))).toBe(true);
    }),
  );
});
