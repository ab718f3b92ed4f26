import { describe, expect, it } from "vitest";
import { readCorpus } from "./corpus.ts";
import { figuresOf, isReached } from "./figures.ts";
import { followAll } from "./follow-help.ts";

describe("first attempts", () => {
  it("come to what was meant when the advice of check is followed", async () => {
    const attempts = readCorpus();

    const outcomes = await followAll(attempts);

    expect(attempts.length).toBeGreaterThanOrEqual(200);
    expect(outcomes.flatMap(({ name, faults }) => faults.map((one) => `${name}: ${one}`))).toEqual(
      [],
    );
    const figures = figuresOf(outcomes);
    expect(isReached(figures), JSON.stringify(figures)).toBe(true);
    const reported = outcomes.filter(({ name }) => name.startsWith("reported: "));
    expect(reported.length).toBeGreaterThan(10);
    expect(reported.filter(({ rounds = 9, isMeant }) => rounds > 1 || !isMeant)).toEqual([]);
  });

  it("have names of their own", () => {
    const names = readCorpus().map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
  });
});
