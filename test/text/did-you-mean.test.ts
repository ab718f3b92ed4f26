import { describe, expect, it } from "vitest";
import { didYouMean, editDistance } from "../../src/text/did-you-mean.ts";

describe("a guess at a misspelt word", () => {
  it.each([
    {
      word: "trigers",
      candidates: ["triggers", "actions"],
      guess: "triggers",
      why: "a letter is missing",
    },
    {
      word: "acitons",
      candidates: ["triggers", "actions"],
      guess: "actions",
      why: "two are swapped",
    },
    { word: "Store", candidates: ["store"], guess: "store", why: "another case" },
    { word: "webhok_url", candidates: ["rules", "url"], guess: undefined, why: "too far from all" },
    { word: "id", candidates: ["as"], guess: undefined, why: "two letters may mean anything" },
    { word: "bat", candidates: ["bot", "but"], guess: "bot", why: "the first of equals" },
  ])("$word: $why", ({ word, candidates, guess }) => {
    expect(didYouMean(word, candidates)).toBe(guess);
  });

  it("counts letters to add, drop, change or swap, up to a limit", () => {
    expect(editDistance("", "abc")).toBe(3);
    expect(editDistance("abcd", "abdc")).toBe(1);
    expect(editDistance("kitten", "sitting")).toBe(3);
    expect(editDistance("kitten", "sitting", 2)).toBe(2);
  });
});
