import { describe, expect, it, test } from "vitest";
import { answerTo } from "../../src/bots/context.ts";
import { translate } from "../../src/events/translate.ts";
import * as wire from "../support/wire.ts";

const DM = { type: "reply_dm", to: "200", text: "hi" };

describe("ctx.reply", () => {
  test.each([
    { why: "a message", body: wire.message(), action: DM },
    { why: "typing", body: wire.typing(), action: DM },
    { why: "a like", body: wire.like(), action: DM },
    { why: "a follow", body: wire.relation("follow_events", "follow"), action: DM },
    {
      why: "a mention, where it was made",
      body: wire.post({ mentions: ["100"] }),
      action: { type: "reply_post", inReplyTo: "9001", to: "200", text: "hi" },
    },
    { why: "the account's own message", body: wire.message({ from: "100", to: "200" }) },
    { why: "a deleted post", body: wire.deleted("post") },
    { why: "a revoked authorization", body: wire.revoked() },
    { why: "the end of a replay", body: wire.replayDone() },
  ])("answers $why with $action.type", ({ body, action }) => {
    expect(translate(body, 0).map(({ event }) => answerTo(event, { text: "hi" }))).toEqual([
      action,
    ]);
  });

  it("does not answer an event that could not be read", () => {
    const [unread] = translate({ for_user_id: "100" }, 0);

    expect(unread && answerTo(unread.event, { text: "hi" })).toBeUndefined();
  });
});
