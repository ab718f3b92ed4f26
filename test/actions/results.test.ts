import { expect, it, test } from "vitest";
import { type Action, ACTIONS, knownResult, usualResult } from "../../src/actions/actions.ts";
import { attributedConversion } from "../../src/actions/attributed-conversion.ts";

const ON_POST = { postId: "9001", to: "200" };
const CONVERSION: Action = {
  type: "report_conversion",
  to: "200",
  app_id: "7",
  conversion_type: "SIGN_UP",
  conversion_time: "2026-03-01T09:00:00.000Z",
  os_type: "IOS",
  hashed_device_id: "a".repeat(64),
  click_window: 30,
};
const RESULTS: readonly (readonly [Action, object])[] = [
  [
    { type: "reply_dm", to: "200", text: "hi" },
    { message_id: "5", conversation_id: "100-200" },
  ],
  [{ type: "reply_post", inReplyTo: "9001", to: "200", text: "Yes." }, { post_id: "5" }],
  [{ type: "create_post", to: "100", text: "News." }, { post_id: "5" }],
  [{ type: "quote", ...ON_POST, text: "Well said." }, { post_id: "5" }],
  [
    { type: "repost", ...ON_POST },
    { reposted: true, repost_id: "5" },
  ],
  [{ type: "undo_repost", ...ON_POST }, { reposted: false }],
  [{ type: "like", ...ON_POST }, { liked: true }],
  [{ type: "unlike", ...ON_POST }, { liked: false }],
  [{ type: "hide_reply", ...ON_POST }, { hidden: true }],
  [{ type: "unhide_reply", ...ON_POST }, { hidden: false }],
  [{ type: "delete_post", ...ON_POST }, { deleted: true }],
  [{ type: "delete_message", eventId: "5001", to: "200" }, { deleted: true }],
  [
    { type: "follow", to: "200" },
    { following: true, pending_follow: false },
  ],
  [{ type: "unfollow", to: "200" }, { following: false }],
  [{ type: "block", to: "200" }, { blocking: true }],
  [{ type: "unblock", to: "200" }, { blocking: false }],
  [{ type: "mute", to: "200" }, { muting: true }],
  [{ type: "unmute", to: "200" }, { muting: false }],
];

test.each(RESULTS)("the result of %j follows from the action and its id", (action, result) => {
  expect(knownResult(action, { account: "100", platformId: "5" })).toEqual(result);
});

it("every verb has a result, whose fields are the documented ones", () => {
  const implied = new Map(RESULTS.map(([{ type }, result]) => [type, Object.keys(result)]));
  for (const [type, { result }] of Object.entries(ACTIONS)) {
    if (type === "report_conversion") continue;
    expect([...implied].find(([name]) => name === type)?.[1]).toEqual(Object.keys(result.fields));
  }
});

it("a created object without a known id has no id in the result", () => {
  const message: Action = { type: "reply_dm", to: "200", text: "hi" };

  expect(knownResult(message, { account: "100" })).toEqual({ conversation_id: "100-200" });
});

it("a conversion is known with its windows, but its attribution only from the answer", () => {
  const implied = knownResult(CONVERSION, { account: "100" });

  expect(implied).toMatchObject({ app_id: "7", click_window: 30, view_through_window: 1 });
  expect(implied).not.toHaveProperty("platform_attribution");
  expect(usualResult(CONVERSION, { account: "100" })).toEqual({
    ...implied,
    platform_attribution: null,
  });
  expect(Object.keys(attributedConversion.fields)).toEqual(
    expect.arrayContaining(Object.keys(implied)),
  );
});
