import { describe, expect, it } from "vitest";
import { didYouMean, editDistance } from "../../src/config/did-you-mean.ts";

describe("a guess at a misspelt word", () => {
  it.each([
    {
      word: "trigers",
      known: ["triggers", "actions"],
      guess: "triggers",
      why: "a letter is missing",
    },
    { word: "acitons", known: ["triggers", "actions"], guess: "actions", why: "two are swapped" },
    { word: "Store", known: ["store"], guess: "store", why: "another case" },
    { word: "webhok_url", known: ["rules", "url"], guess: undefined, why: "too far from all" },
    { word: "id", known: ["as"], guess: undefined, why: "two letters may mean anything" },
    { word: "bat", known: ["bot", "but"], guess: "bot", why: "the first of equals" },
  ])("$word: $why", ({ word, known, guess }) => {
    expect(didYouMean(word, known)).toBe(guess);
  });

  it("counts letters to add, drop, change or swap, up to a limit", () => {
    expect(editDistance("", "abc")).toBe(3);
    expect(editDistance("abcd", "abdc")).toBe(1);
    expect(editDistance("kitten", "sitting")).toBe(3);
    expect(editDistance("kitten", "sitting", 2)).toBe(2);
  });
});
