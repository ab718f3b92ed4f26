import { describe, expect, it } from "vitest";
import { languageOf } from "../../../../src/sandbox/model/text/language.ts";
import { termsOf } from "../../../../src/sandbox/model/text/terms.ts";
import { entitiesOf } from "../../../../src/protocol/public-text/entities.ts";

describe("entities of a text", () => {
  it.each([
    { text: "@ana hi", entities: [["mention", "ana", 0, 4]], why: "a mention at the start" },
    { text: "mail a@b.example", entities: [], why: "an address is not a mention" },
    { text: "@far_too_long_name", entities: [], why: "names have 15 characters" },
    { text: "#1", entities: [], why: "a tag needs a letter" },
    { text: "#Straße!", entities: [["hashtag", "Straße", 0, 7]], why: "punctuation ends a tag" },
    { text: "$CASH $5", entities: [["cashtag", "CASH", 0, 5]], why: "a price is not a cashtag" },
    {
      text: "👋 https://a.example/x.",
      entities: [["url", "https://a.example/x", 2, 21]],
      why: "offsets count code points, and a full stop is not part of a link",
    },
  ])("of '$text' are $entities: $why", ({ text, entities }) => {
    expect(entitiesOf(text).map(({ kind, word, start, end }) => [kind, word, start, end])).toEqual(
      entities,
    );
  });
});

describe("search terms of a text", () => {
  it.each([
    { text: "Tea, tea and TEA", terms: ["tea", "and"], why: "each once, in lower case" },
    { text: "#Tea @Ana", terms: ["tea", "ana", "#tea", "@ana"], why: "tags also with their sign" },
    { text: "お茶 tea", terms: ["お", "茶", "tea"], why: "letters without spaces are words" },
  ])("of '$text' are $terms: $why", ({ text, terms }) => {
    expect(termsOf(text)).toEqual(terms);
  });
});

it.each([
  { text: "hello", language: "en" },
  { text: "お茶", language: "ja" },
  { text: "привет", language: "ru" },
  { text: "1 + 1", language: "und" },
])("the language of '$text' is $language", ({ text, language }) => {
  expect(languageOf(text)).toBe(language);
});
