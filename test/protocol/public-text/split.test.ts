import { expect, it } from "vitest";
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
