import * as fc from "fast-check";
import { expect, it } from "vitest";
import { entitiesOf } from "../../../src/protocol/public-text/entities.ts";
import { weightedLength } from "../../../src/protocol/public-text/length.ts";
import { cutToWeight, split } from "../../../src/protocol/public-text/split.ts";

it.each([
  { text: "  ", parts: [], why: "white space is no post" },
  { text: "one two. three", parts: ["one two.", "three"], why: "between sentences" },
  { text: "one two three", parts: ["one two", "three"], why: "else between words" },
  { text: "abcdefghijklm", parts: ["abcdefghij", "klm"], why: "else between characters" },
  { text: "👨‍👩‍👧‍👦".repeat(6), parts: ["👨‍👩‍👧‍👦".repeat(5), "👨‍👩‍👧‍👦"], why: "a family stays whole" },
  {
    text: "one two ab \u0301cd",
    parts: ["one two", "ab \u0301cd"],
    why: "a mark stays on its space",
  },
  {
    text: "one two \u0301three",
    parts: ["one", "two \u0301three"],
    why: "no break between a space and its mark",
  },
])("'$text' by 10 is $parts: $why", ({ text, parts }) => {
  expect(split(text, 10)).toEqual(parts);
});

it.each([
  {
    parts: ["यह पहला वाक्य है। यह दूसरा है।", "और यह तीसरा वाक्य है।"],
    limit: 40,
    why: "behind a danda",
  },
  {
    parts: ["هل تريد إلغاء الطلب؟", "اكتب لنا متى شئت."],
    limit: 28,
    why: "behind an Arabic question",
  },
  { parts: ["یہ پہلا جملہ ہے۔", "یہ دوسرا جملہ ہے۔"], limit: 24, why: "behind an Urdu full stop" },
  { parts: ["ဖွင့်ပါသည်။", "ဆက်သွယ်ပါ။"], limit: 16, why: "behind a Burmese section mark" },
  { parts: ["Να ακυρωθεί;", "Γράψτε μας ναι."], limit: 18, why: "a Greek question mark" },
  { parts: ["Er sagte: „Ja.“", "Dann ging er."], limit: 20, why: "behind a German quotation" },
  { parts: ["Il dit : « Oui. »", "Puis il part."], limit: 22, why: "behind French guillemets" },
  { parts: ["Fermé à six", "heures ! Oui"], limit: 18, why: "no exclamation mark goes alone" },
  { parts: ["Fermé le", "« oui »"], limit: 11, why: "nor does a guillemet stay alone" },
  { parts: ["Das kostet", "10\u00a0000\u00a0€."], limit: 14, why: "a number with no-break spaces" },
])("$parts are the parts: $why", ({ parts, limit }) => {
  expect(split(parts.join(" "), limit)).toEqual(parts);
});

it.each([
  { parts: ["เปิดให้บริการทุกวัน", "จันทร์ถึงวันศุกร์"], limit: 21, why: "Thai" },
  {
    parts: ["你好 请随时联系我们的", "客户服务团队"],
    limit: 22,
    why: "Chinese with an early space",
  },
  { parts: ["ご不明な点は、", "お問い合わせください"], limit: 20, why: "Japanese" },
  { parts: ["次の", "「営業」"], limit: 8, why: "no bracket stays open at an end" },
])("$why without spaces is split between words: $parts", ({ parts, limit }) => {
  expect(split(parts.join(""), limit)).toEqual(parts);
});

it("a run of white space before a sign takes linear time", () => {
  const parts = split(`a${" ".repeat(10_000)}!`);

  expect(parts.join("").replaceAll(" ", "")).toBe("a!");
});

it("a character with more marks than a part has room for is split between its marks", () => {
  const text = `a${"\u0317".repeat(400)}`;
  const parts = split(text);

  expect(parts.join("")).toBe(text);
  expect(parts.map(weightedLength)).toEqual([280, 121]);
});

it("a text cut to one post keeps a link whole and ends with an ellipsis", () => {
  const text = `${"word ".repeat(51)}https://shop.example.com/a`;

  expect(weightedLength(text)).toBe(278);
  expect(cutToWeight(text)).toBe(text);
  expect(cutToWeight(`${text} and`)).toBe(`${text}…`);
  expect(cutToWeight(`and ${text}`)).toMatch(/word…$/);
});

const FACES = "😀".repeat(133);

it.each([
  {
    text: `${FACES}@${"b".repeat(60)}`,
    parts: [FACES, `@${"b".repeat(60)}`],
    why: "a word that is too long for a handle",
  },
  {
    text: `${FACES}＠${"b".repeat(60)}`,
    parts: [FACES, `＠${"b".repeat(60)}`],
    why: "the same behind a wide sign",
  },
  {
    text: `${"x".repeat(279)}@company.de rest`,
    parts: ["x".repeat(278), "x@company.de rest"],
    why: "the address of an e-mail behind its sign",
  },
  {
    text: `${"x".repeat(275)}@company.de rest`,
    parts: ["x".repeat(274), "x@company.de rest"],
    why: "the address of an e-mail within its domain",
  },
  {
    text: `${"😀".repeat(126)}!a-very-long-company-name.de${"x".repeat(60)}`,
    parts: [`${"😀".repeat(126)}!`, `a-very-long-company-name.de${"x".repeat(60)}`],
    why: "the beginning of a word with a dot",
  },
  {
    text: `${"x".repeat(280)}#tag rest`,
    parts: ["x".repeat(279), "x#tag rest"],
    why: "a sign within a word",
  },
])("$why becomes no mention, link or tag between two parts", ({ text, parts }) => {
  expect(entitiesOf(text)).toEqual([]);
  expect(split(text)).toEqual(parts);
  expect(entitiesOf(cutToWeight(text))).toEqual([]);
});

it("has the mentions and links of the text and no others, wherever it is split", () => {
  const pieces = ["@", "＠", "bb", ".", "de", "company", "#", "$", "TSLA", "/", "://", "http", "_"];
  const others = [" ", "😀", "你好", "。", "-", "é", "!", ", ", "\n", "9"];
  const text = fc.array(fc.constantFrom(...pieces, ...others), { minLength: 20, maxLength: 80 });
  fc.assert(
    fc.property(text, fc.integer({ min: 46, max: 80 }), (words, limit) => {
      const namesIn = (part: string): readonly string[] =>
        entitiesOf(part)
          .filter(({ kind }) => kind === "mention" || kind === "url")
          .map(({ word, list = "" }) => `${word}${list}`);
      const names = new Set(namesIn(words.join("")));
      const created = [...split(words.join(""), limit), cutToWeight(words.join(""), limit)]
        .flatMap(namesIn)
        .filter((name) => !names.has(name));

      expect(created).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});
