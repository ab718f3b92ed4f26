import { describe, expect, expectTypeOf, it, test } from "vitest";
import { answerTo } from "../../src/bots/context.ts";
import { type BotContext, defineBot } from "../../src/bots/define.ts";
import type { AnswerTo } from "../../src/bots/durable/durable-calls.ts";
import { runHandlers } from "../../src/bots/run-handlers.ts";
import { eventKind } from "../../src/events/kinds/kinds.ts";
import { translate } from "../../src/events/translate.ts";
import { INBOUND_TRIGGERS, type InboundTrigger, TRIGGER_FACTS } from "../../src/events/triggers.ts";
import { messageReceived } from "../support/events.ts";
import { NOBODY_ANSWERS } from "../support/nobody-answers.ts";
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

/** Returns what a handler requests when it calls `ctx.post`: the actions, or the error. */
async function posted(handler: (ctx: BotContext) => Promise<void>): Promise<unknown> {
  const bot = defineBot({ name: "poster", on: { "dm.received": handler } });
  const handling = {
    bot: bot.name,
    triggers: ["dm.received" as const],
    event: messageReceived({ text: "hi" }),
    account: { id: "100", username: "hello_bot" },
    now: 0,
    replayed: false,
    answered: false,
  };
  const outcome = await runHandlers(bot, handling, {
    signal: new AbortController().signal,
    post: () => {},
    keep: async () => {},
    read: async () => ({ version: 0 }),
    ...NOBODY_ANSWERS,
    beginning: (begin) => begin(),
  });
  return outcome?.error ?? outcome?.actions;
}

describe("ctx.post", () => {
  const poll = { options: ["Tea", "Coffee"], durationMinutes: 60 };

  it("publishes a poll, with the group of users who may reply", async () => {
    const said = { text: "Tea or coffee?", poll, replySettings: "following" } as const;

    expect(await posted((ctx) => ctx.post(said))).toEqual([
      { type: "create_post", to: "100", ...said },
    ]);
  });

  it.each([
    { why: "one option", options: { poll: { ...poll, options: ["Tea"] } }, says: "poll.options" },
    {
      why: "a long label",
      options: { poll: { ...poll, options: ["Tea", "x".repeat(26)] } },
      says: "poll.options[1]",
    },
    {
      why: "too short a poll",
      options: { poll: { ...poll, durationMinutes: 4 } },
      says: "poll.durationMinutes",
    },
    {
      why: "an unknown group of users",
      options: { replySettings: "friends" as "following" },
      says: "replySettings",
    },
  ])("throws a TypeError for $why", async ({ options, says }) => {
    const error = await posted((ctx) => ctx.post({ text: "Tea or coffee?", ...options }));

    expect(error).toMatch(/TypeError: the action was refused/);
    expect(error).toContain(`at ${says}`);
  });

  it("throws a TypeError for a poll beside a picture", async () => {
    const said = { text: "Tea or coffee?", media: "/pictures/tea.png", poll };

    expect(await posted((ctx) => ctx.post(said))).toMatch(
      /TypeError: a post of ctx\.post has a poll or media, not both/,
    );
  });
});

describe("the answer to ctx.ask", () => {
  const ANSWERED_UNDER = {
    "dm.received": "dm.received",
    "dm.typing": "dm.received",
    "dm.read": "dm.received",
    "post.mentioned": "post.replied",
    "post.replied": "post.replied",
    "post.quoted": "post.replied",
    "post.edited": "post.replied",
    "post.reposted": "post.replied",
    "post.liked": "dm.received",
    "post.deleted": "dm.received",
    "user.followed": "dm.received",
    "user.unfollowed": "dm.received",
    "user.blocked": "dm.received",
    "user.unblocked": "dm.received",
    "user.muted": "dm.received",
    "user.unmuted": "dm.received",
    "account.authorization_revoked": "dm.received",
    "replay.finished": "dm.received",
  } as const satisfies { readonly [T in InboundTrigger]: AnswerTo<T> };

  it.each(INBOUND_TRIGGERS)("has the type of the event that comes: %s", (trigger) => {
    const { answeredBy } = eventKind(TRIGGER_FACTS[trigger].kind);

    expect(ANSWERED_UNDER[trigger]).toBe(answeredBy === "post" ? "post.replied" : "dm.received");
  });

  it("may have either type if the trigger is not known", () => {
    expectTypeOf<AnswerTo<InboundTrigger>>().toEqualTypeOf<"dm.received" | "post.replied">();
  });
});
