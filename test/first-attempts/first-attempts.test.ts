import { describe, expect, it, test } from "vitest";
import { readCorpus } from "./corpus.ts";
import { figuresOf, isReached } from "./figures.ts";
import { followAll } from "./follow-help.ts";

const ATTEMPTS = readCorpus();
const TOOLS = [...new Set(ATTEMPTS.map(({ tool }) => tool))];

/** The goal (`isReached`) must be reached by the attempts for each tool from which authors come. */
describe("first attempts", () => {
  test.each(TOOLS)(
    "reach the intended rules if the advice of check is followed: %s",
    async (tool) => {
      const outcomes = await followAll(ATTEMPTS.filter((one) => one.tool === tool));

      const faults = outcomes.flatMap(({ name, faults: of }) => of.map((one) => `${name}: ${one}`));
      expect(faults).toEqual([]);
      const figures = figuresOf(outcomes);
      expect(isReached(figures), JSON.stringify(figures)).toBe(true);
      // attempts from public questions reach valid rules in one round each
      const wanted = tool === "reported" ? figures.attempts : figures.one_round;
      expect(figures.one_round).toBe(wanted);
    },
  );

  it("are many, and have unique names", () => {
    const names = ATTEMPTS.map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(200);
  });
});
