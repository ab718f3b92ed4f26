import { describe, expect, it } from "vitest";
import { failuresOf } from "./support.ts";

const RULE = `
      - id: ask
        triggers: [post.mentioned]
        actions:
          - create_post:
              text: Which soup?
              poll: { options: [Tomato, Lentil], duration: 2d }
              reply_settings: following
`;
const tested = (field: string) =>
  failuresOf(
    RULE,
    `
      - name: a poll
        events: [{at: 0s, post.mentioned: {from: ann, text: soup}}]
        expect:
          - {create_post: {text: Which soup?, ${field}}}
    `,
  );

describe("the poll of a post in a rule test", () => {
  it.each([
    'poll: "Tomato / Lentil, open for 2d"',
    "poll: {contains: Lentil}",
    "replySettings: following",
  ])("is expected as one text: %s", async (field) => {
    expect(await tested(field)).toEqual([]);
  });

  it.each(['poll: "Tomato / Leek, open for 2d"', "replySettings: verified"])(
    "is unlike another: %s",
    async (field) => {
      expect(await tested(field)).not.toEqual([]);
    },
  );
});
