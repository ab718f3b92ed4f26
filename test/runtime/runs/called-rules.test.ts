import { describe, expect, it } from "vitest";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { folderPlace } from "../store/place.ts";
import { type Story, walk } from "./walk.ts";

const RULES = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - repeat:
          for_each: [size, colour]
          sequence:
            - id: asked
              run: question
              with: {what: "\${{ repeat.item }}"}
            - reply_dm: "\${{ repeat.item }}: \${{ steps.asked.result }}"
      - run: thanks
  - id: question
    variables: {what: "", text: "Which \${{ vars.what }}?"}
    actions:
      - id: answer
        ask: {text: "\${{ vars.text }}", within: 15m}
      - delay: 1s
      - stop: \${{ steps.answer.text }}
  - id: thanks
    actions:
      - call: ./a.ts#note
      - reply_dm: Thank you.
    on_error:
      - reply_dm: Sorry.
`;

const STORY: Story = {
  rules: RULES,
  script: ["an order", { text: "large", after: 1 }, { text: "red", after: 3 }],
  texts: ["Which size?", "size: large", "Which colour?", "colour: red", "Thank you."],
  runs: ["done"],
  tickMs: 100,
};

describe("a process that ends in steps of a called rule", () => {
  it("continues in them, after every write, with its variables", async () => {
    expect(await walk(STORY, modelPlace, 1)).toBeGreaterThan(18);
  });

  it("does so on the disk, and if an inner step fails", async () => {
    const failing: Story = {
      ...STORY,
      texts: [...STORY.texts.slice(0, -1), "Sorry."],
      runs: ["failed"],
      call: async () => ({ ok: false, error: "the disk is full" }),
    };

    expect(await walk(failing, folderPlace, 7)).toBeGreaterThan(18);
  });
});
