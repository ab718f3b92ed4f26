import { describe, expect, it } from "vitest";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { folderPlace } from "../store/place.ts";
import { type Story, walk } from "./walk.ts";

const RULES = `version: 1
rules:
  - id: quiz
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: quiz}}]
    actions:
      - repeat:
          for_each: [one, two]
          sequence:
            - id: answer
              ask: {text: "Question \${{ repeat.item }}?", within: 15m}
            - reply_dm: "\${{ repeat.index }}: \${{ steps.answer.text }}"
            - delay: 2s
      - reply_dm: That was all.
`;

const STORY: Story = {
  rules: RULES,
  script: ["a quiz", { text: "blue", after: 1 }, { text: "red", after: 3 }],
  texts: ["Question one?", "1: blue", "Question two?", "2: red", "That was all."],
  runs: ["done"],
  tickMs: 100,
};

describe("a process that ends in repeated steps", () => {
  it("continues in the same round, after every write, and asks each question once", async () => {
    expect(await walk(STORY, modelPlace, 1)).toBeGreaterThan(18);
  });

  it("does so on the disk", async () => {
    expect(await walk(STORY, folderPlace, 9)).toBeGreaterThan(18);
  });
});
