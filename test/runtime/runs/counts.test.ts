import { describe, expect, it } from "vitest";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { type Story, walk } from "./walk.ts";

const RULES = `version: 1
rules:
  - id: strikes
    group: none
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: bad}}]
    actions:
      - repeat: {count: 2, sequence: [{count: {name: abuse, per: sender, window: 7d}}]}
      - delay: 2s
      - count: {name: abuse, per: sender, window: 7d}
  - id: warn
    group: none
    triggers:
      - {trigger: count.reached, of: abuse, at: 1}
      - {trigger: count.reached, of: abuse, at: 2}
      - {trigger: count.reached, of: abuse, at: 3}
    actions: [{reply_dm: "That is \${{ count.value }}."}]
`;

describe("one event by which a count reaches several numbers", () => {
  const STORY: Story = {
    rules: RULES,
    script: ["a bad word"],
    texts: ["That is 1.", "That is 2.", "That is 3."],
    runs: ["done", "done", "done", "done"],
    tickMs: 500,
  };

  it("starts a rule once for each of them, wherever the process ends", async () => {
    expect(await walk(STORY, modelPlace, 1)).toBeGreaterThan(8);
  });
});
