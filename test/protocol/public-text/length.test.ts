import fc from "fast-check";
import { expect, it } from "vitest";
import { weightedLength } from "../../../src/protocol/public-text/length.ts";

it.each([
  { text: "", length: 0, why: "nothing" },
  { text: "hello", length: 5, why: "a Latin letter weighs 1" },
  { text: "Ελλάδα Россия", length: 13, why: "so do Greek and Cyrillic" },
  { text: "“quoted” — it’s", length: 15, why: "and general punctuation" },
  { text: "今日は", length: 6, why: "a Han or Kana letter weighs 2" },
  { text: "한국어", length: 6, why: "a Hangul syllable weighs 2" },
  { text: "👋 hi", length: 5, why: "an emoji weighs 2" },
  { text: "👨‍👩‍👧‍👦", length: 2, why: "a family is one emoji" },
  { text: "🇳🇴🇯🇵", length: 4, why: "two flags are two" },
  { text: "👍🏽👍", length: 4, why: "a skin tone belongs to its emoji" },
  { text: "7️⃣#️⃣", length: 4, why: "a keycap is one" },
  { text: "7#*©", length: 4, why: "without a keycap they are letters" },
  { text: "🏴󠁧󠁢󠁳󠁣󠁴󠁿", length: 2, why: "a flag of tags is one" },
  { text: "e\u0301", length: 1, why: "an accent joins its letter" },
  { text: `see https://a.example/${"x".repeat(300)}`, length: 27, why: "a link weighs 23" },
  { text: "see shop.com/a and more.", length: 4 + 23 + 10, why: "also without a protocol" },
  { text: "見てhttps://a.example/茶", length: 4 + 23 + 2, why: "and between other scripts" },
])("'$text' weighs $length: $why", ({ text, length }) => {
  expect(weightedLength(text)).toBe(length);
});

it("41 families and 141 accented letters fit into a post, 141 Han letters do not", () => {
  expect(weightedLength("👨‍👩‍👧‍👦".repeat(140))).toBe(280);
  expect(weightedLength("e\u0301".repeat(280))).toBe(280);
  expect(weightedLength("茶".repeat(141))).toBe(282);
});

it("a text never weighs more than two for each code point and a link's weight for each dot", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const points = Array.from(text.normalize("NFC"));
      const dots = points.filter((point) => point === ".").length;
      expect(weightedLength(text)).toBeLessThanOrEqual(2 * points.length + 23 * dots);
    }),
  );
});
