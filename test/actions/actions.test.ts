import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import * as z from "zod";
import {
  type Action,
  ACTIONS,
  actionSchema,
  concernedUser,
  describeAction,
  echoOf,
  isRepeatable,
} from "../../src/actions/actions.ts";
import type { AccountEvent } from "../../src/events/event.ts";
import { TRIGGERS } from "../../src/events/triggers.ts";
import { ACCESS_LEVELS, SCOPES } from "../../src/protocol/access.ts";
import { messageReceived, postMentioned } from "../support/events.ts";

const DM: Action = { type: "reply_dm", to: "200", text: "hi" };
const REPLY: Action = { type: "reply_post", inReplyTo: "9001", to: "200", text: "Yes." };
const LIKE: Action = { type: "like", postId: "9001", to: "200" };
const FOLLOW: Action = { type: "follow", to: "200" };
const POST: Action = { type: "create_post", to: "200", text: "News." };
const QUOTE: Action = { type: "quote", postId: "9001", to: "200", text: "Well said." };
const REPOST: Action = { type: "repost", postId: "9001", to: "200" };
const UNFOLLOW: Action = { type: "unfollow", to: "200" };
const BLOCK: Action = { type: "block", to: "200" };
const UNBLOCK: Action = { type: "unblock", to: "200" };
const MUTE: Action = { type: "mute", to: "200" };
const UNMUTE: Action = { type: "unmute", to: "200" };
const UNDO_REPOST: Action = { type: "undo_repost", postId: "9001", to: "200" };
const UNLIKE: Action = { type: "unlike", postId: "9001", to: "200" };
const HIDE: Action = { type: "hide_reply", postId: "9001", to: "200" };
const UNHIDE: Action = { type: "unhide_reply", postId: "9001", to: "200" };
const DELETE_POST: Action = { type: "delete_post", postId: "9001", to: "200" };
const DELETE_MESSAGE: Action = { type: "delete_message", eventId: "5001", to: "200" };
const CONVERSION: Action = {
  type: "report_conversion",
  to: "200",
  app_id: "7",
  conversion_type: "SIGN_UP",
  conversion_time: "2026-03-01T09:00:00.000Z",
  os_type: "IOS",
  hashed_device_id: "a1",
  price_micro: 15_000_000,
};
const EXAMPLES: readonly Action[] = [
  DM,
  REPLY,
  POST,
  QUOTE,
  REPOST,
  UNDO_REPOST,
  LIKE,
  UNLIKE,
  HIDE,
  UNHIDE,
  DELETE_POST,
  DELETE_MESSAGE,
  FOLLOW,
  UNFOLLOW,
  BLOCK,
  UNBLOCK,
  MUTE,
  UNMUTE,
  CONVERSION,
];

describe("the table of actions", () => {
  it("has an example here for every verb", () => {
    expect(EXAMPLES.map(({ type }) => type)).toEqual(Object.keys(ACTIONS));
  });

  test.each(Object.entries(ACTIONS))("%s says what the platform asks for it", (type, kind) => {
    // The step report_conversion works with signed requests only. The other unreported actions cause no event on
    // the platform.
    const isConversion = type === "report_conversion";
    const isUnreported =
      isConversion || ["unlike", "hide_reply", "unhide_reply", "delete_message"].includes(type);
    expect(ACCESS_LEVELS).toContain(kind.needs.access);
    expect(kind.needs.scopes.length > 0).toBe(!isConversion);
    for (const scope of kind.needs.scopes) expect(SCOPES).toContain(scope);
    expect(kind.echo.triggers.length > 0).toBe(!isUnreported);
    for (const trigger of kind.echo.triggers) expect(TRIGGERS).toContain(trigger);
  });

  test.each(EXAMPLES.map((action) => [action.type, action] as const))(
    "%s survives as JSON and concerns the person it is done to",
    (_type, action) => {
      const stored: unknown = JSON.parse(JSON.stringify(action));

      expect(actionSchema.parse(stored)).toEqual(action);
      expect(concernedUser(action)).toBe("200");
    },
  );

  test.each([
    { action: DM, line: "message to 200: hi", repeatable: false },
    { action: REPLY, line: "reply to post 9001: Yes.", repeatable: false },
    { action: LIKE, line: "like of post 9001", repeatable: true },
    { action: FOLLOW, line: "follow of 200", repeatable: true },
    { action: POST, line: "post: News.", repeatable: false },
    { action: QUOTE, line: "quote of post 9001: Well said.", repeatable: false },
    { action: REPOST, line: "repost of post 9001", repeatable: true },
    { action: UNFOLLOW, line: "unfollow of 200", repeatable: true },
    { action: BLOCK, line: "block of 200", repeatable: true },
    { action: UNBLOCK, line: "unblock of 200", repeatable: true },
    { action: MUTE, line: "mute of 200", repeatable: true },
    { action: UNMUTE, line: "unmute of 200", repeatable: true },
    { action: UNDO_REPOST, line: "end of the repost of post 9001", repeatable: true },
    { action: UNLIKE, line: "end of the like of post 9001", repeatable: true },
    { action: HIDE, line: "hiding of reply 9001", repeatable: true },
    { action: UNHIDE, line: "showing again of reply 9001", repeatable: true },
    { action: DELETE_POST, line: "deletion of post 9001", repeatable: true },
    { action: DELETE_MESSAGE, line: "deletion of message 5001", repeatable: true },
    {
      action: CONVERSION,
      line: "conversion SIGN_UP of app 7 at 2026-03-01T09:00:00.000Z",
      repeatable: false,
    },
  ])("reads: $line", ({ action, line, repeatable }) => {
    expect(describeAction(action)).toBe(line);
    expect(isRepeatable(action)).toBe(repeatable);
  });
});

describe("the description of an action with the handles of people", () => {
  const handles = new Map([["200", "@ana"]]);
  test.each([
    { action: DM, line: "message to @ana: hi" },
    { action: FOLLOW, line: "follow of @ana" },
    { action: { ...LIKE, postId: "92001" }, line: "like of post 92001" },
    { action: { ...REPLY, text: "200 of them" }, line: "reply to post 9001: 200 of them" },
  ] as const)("reads: $line", ({ action, line }) => {
    expect(describeAction(action, handles)).toBe(line);
  });
});

describe("invalid actions", () => {
  test.each([
    {
      why: "an unknown verb",
      value: { type: "shout" },
      says: /"shout" is not an action; write one/,
    },
    { why: "a name that every object has", value: { type: "toString" }, says: /is not an action/ },
    { why: "an empty text", value: { ...DM, text: "" }, says: /text/ },
    { why: "no recipient", value: { type: "reply_dm", text: "hi" }, says: /to/ },
    { why: "a key too many", value: { ...LIKE, text: "hi" }, says: /text/ },
    { why: "no object", value: "like", says: /object/ },
  ])("is refused: $why", ({ value, says }) => {
    expect(z.prettifyError(actionSchema.safeParse(value).error ?? new z.ZodError([]))).toMatch(
      says,
    );
  });
});

describe("an echo", () => {
  const sent = (over: Parameters<typeof messageReceived>[0] = {}): AccountEvent => ({
    ...messageReceived({
      senderId: "100",
      recipientId: "200",
      text: "hi",
      sourceAppId: "7",
      ...over,
    }),
    direction: "outbound",
    triggers: ["dm.sent"],
  });
  const posted = (over: Parameters<typeof postMentioned>[0] = {}): AccountEvent => ({
    ...postMentioned({
      id: "9002",
      author: { id: "100" },
      inReplyToPostId: "9001",
      text: "@ana Yes.",
      ...over,
    }),
    direction: "outbound",
  });
  const QUOTED = { quoted: postMentioned({ id: "9001" }).post };
  const quoting = (
    text: string,
    of: Parameters<typeof postMentioned>[0] = QUOTED,
  ): AccountEvent => ({
    ...postMentioned({ id: "9002", author: { id: "100" }, text, ...of }),
    direction: "outbound",
  });
  const base = { accountId: "100", at: 5, direction: "outbound", lane: "100/200" } as const;
  const liked: AccountEvent = {
    ...base,
    kind: "like",
    key: "like:1",
    triggers: ["post.liked"],
    sender: { id: "100" },
    post: postMentioned().post,
  };
  const followed: AccountEvent = {
    ...base,
    kind: "relation",
    relation: "follow",
    key: "f",
    triggers: ["user.followed"],
    sender: { id: "100" },
    target: { id: "200" },
  };

  test.each([
    { why: "a message", action: DM, event: sent(), platformId: "5001" },
    { why: "a reply, names in front", action: REPLY, event: posted(), platformId: "9002" },
    { why: "a like", action: LIKE, event: liked, platformId: undefined },
    { why: "a follow", action: FOLLOW, event: followed, platformId: undefined },
    {
      why: "the end of a follow",
      action: UNFOLLOW,
      event: { ...followed, relation: "unfollow" as const },
      platformId: undefined,
    },
    {
      why: "the deletion of a post",
      action: DELETE_POST,
      event: {
        ...base,
        kind: "post_deleted",
        key: "post_deleted:9001",
        triggers: ["post.deleted"],
        sender: { id: "100" },
        postId: "9001",
      } as const,
      platformId: undefined,
    },
    {
      why: "the end of a block",
      action: UNBLOCK,
      event: { ...followed, relation: "unblock" as const },
      platformId: undefined,
    },
    {
      why: "a block",
      action: BLOCK,
      event: { ...followed, relation: "block" as const },
      platformId: undefined,
    },
    { why: "a post", action: POST, event: quoting("News.", {}), platformId: "9002" },
    {
      why: "a quote, the link at its end",
      action: QUOTE,
      event: quoting("Well said. https://t.co/abc"),
      platformId: "9002",
    },
    {
      why: "a quote of a post that the account may not see",
      action: QUOTE,
      event: quoting("Well said.", { quotedPostId: "9001" }),
      platformId: "9002",
    },
    {
      why: "a repost",
      action: REPOST,
      event: {
        ...quoting("RT"),
        post: {
          ...postMentioned({ id: "9002", author: { id: "100" } }).post,
          reposted: postMentioned({ id: "9001" }).post,
        },
      },
      platformId: "9002",
    },
  ])("is recognised: $why", ({ action, event, platformId }) => {
    const echo = echoOf(event, action, { account: "100", appId: "7" });

    expect(echo).toEqual({ at: event.at, ...(platformId === undefined ? {} : { platformId }) });
  });

  test.each([
    { why: "another text", action: DM, event: sent({ text: "ho" }) },
    { why: "another recipient", action: DM, event: sent({ recipientId: "300" }) },
    { why: "the other person's message", action: DM, event: messageReceived({ text: "hi" }) },
    { why: "another app's message", action: DM, event: sent({ sourceAppId: "8" }) },
    { why: "a reply to another post", action: REPLY, event: posted({ inReplyToPostId: "1" }) },
    { why: "another person's reply", action: REPLY, event: posted({ author: { id: "300" } }) },
    { why: "another kind of event", action: LIKE, event: sent() },
    { why: "a like by another", action: LIKE, event: { ...liked, sender: { id: "300" } } },
    { why: "a reply with the text of a post", action: POST, event: posted({ text: "News." }) },
    {
      why: "a quote of another post",
      action: { ...QUOTE, postId: "1" },
      event: quoting("Well said."),
    },
    {
      why: "a quote of a hidden post with the text of a post",
      action: POST,
      event: quoting("News.", { quotedPostId: "9001" }),
    },
    { why: "a quote without the repost", action: REPOST, event: quoting("Well said.") },
    { why: "a block", action: FOLLOW, event: { ...followed, relation: "block" as const } },
  ])("is not: $why", ({ action, event }) => {
    expect(echoOf(event, action, { account: "100", appId: "7" })).toBeUndefined();
  });

  it("is recognised without the app's id if the id is unknown", () => {
    expect(echoOf(sent(), DM, { account: "100" })).toMatchObject({ platformId: "5001" });
  });

  it("of any text is recognised in the form in which it was written", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (text) => {
        expect(echoOf(sent({ text }), { ...DM, text }, { account: "100" })).toBeDefined();
      }),
    );
  });
});
