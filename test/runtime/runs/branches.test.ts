import { describe, expect, it } from "vitest";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { type Story, walk } from "./walk.ts";

const RULES = `version: 1
rules:
  - id: triage
    triggers: [dm.received]
    conditions: [{message.text: {starts_with: it is}}]
    actions:
      - if: message.text.has_word("down")
        then: [{reply_dm: A person comes.}]
        else_if:
          - if: message.text.has_word("late")
            then: [{reply_dm: Soon.}]
          - if: message.text.has_word("broken")
            then:
              - id: part
                ask: {text: "Which part?", within: 15m}
              - delay: 2s
              - reply_dm: "Noted: \${{ steps.part.text }}"
        else: [stop]
      - reply_dm: That was all.
`;

const STORY: Story = {
  rules: RULES,
  script: ["it is broken", { text: "the lid", after: 1 }],
  texts: ["Which part?", "Noted: the lid", "That was all."],
  runs: ["done"],
  tickMs: 100,
};

describe("a process that ends in steps under else_if", () => {
  it("continues there, after every write, and runs each step once", async () => {
    expect(await walk(STORY, modelPlace, 1)).toBeGreaterThan(10);
  });
});
