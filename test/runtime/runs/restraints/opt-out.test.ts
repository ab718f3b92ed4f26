import { beforeEach, describe, expect, it, test } from "vitest";
import { says } from "../../../../src/runtime/runs/restraints/opt-out-words.ts";
import { messageReceived, postMentioned } from "../../../support/events.ts";
import { when } from "../../../support/when.ts";
import { folderPlace } from "../../store/place.ts";
import { worldOfEach } from "../bot-world.ts";

const RULES = `version: 1
rules:
  - id: size
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - ask: {text: "Which size?", within: 15m, on_timeout: [{reply_dm: "I'll be here."}]}
      - reply_dm: Done.
  - id: later
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: remind}}]
    actions: [{delay: 10m}, {reply_dm: A reminder.}, {reply_dm: And another.}]
  - id: stop-me
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: human}}]
    actions: [{reply_dm: A person takes over.}]
  - id: fallback
    fallback: true
    triggers: [dm.received]
    actions: [{reply_dm: "Sorry?"}]
`;
const OPT_OUT = {
  words: ["stop", "Abmelden"],
  back: ["start"],
  text: "You won't hear from us again. Write START to come back.",
  backText: "Welcome back.",
};
const MINUTE = 60_000;

const world = worldOfEach(folderPlace, { rules: RULES, restraints: { optOut: OPT_OUT } });
beforeEach(() => world.live());

const texts = (): string[] => world.platform.map(({ text }) => text);
/** Returns the decision on the newest journal entry, once the due outbox items have been sent. */
const decided = () =>
  when(async () => {
    await world.bot.sends();
    const [row] = await world.store.journal({ limit: 1 });
    const open = await world.store.items({ status: "pending", limit: 1 });
    if (row === undefined || row.state === "open" || open.length > 0) return undefined;
    return JSON.parse(row.decision ?? "{}");
  });
const hears = async (id: string, from: string, text: string) => {
  await world.bot.hears(id, from, text);
  return decided();
};

describe("a person who opts out", () => {
  it("gets one confirmation, and no more messages of any rule, also after a restart", async () => {
    expect(await hears("1", "200", "STOP!")).toMatchObject({
      ran: [],
      reason: "the message is the person's opt-out",
    });
    await hears("2", "200", "human?");
    await world.restart();

    expect(await hears("3", "200", "order")).toMatchObject({
      ran: [],
      reason: "the person has opted out",
    });
    await hears("4", "200", "stop");
    await hears("5", "201", "hello");
    expect(texts()).toEqual([OPT_OUT.text, "Sorry?"]);
  });

  it("ends the conversation, and delayed messages are never sent", async () => {
    await hears("1", "200", "remind me");
    await hears("2", "200", "order");
    await hears("3", "200", "stop");
    world.clock.advance(20 * MINUTE);
    world.bot.wake();

    const runs = await when(async () => {
      await world.bot.sends();
      const rows = await world.store.journal({ limit: 9 });
      const all = rows.toReversed().flatMap((row) => row.runs);
      const isOver = all.every(({ status }) => status !== "waiting" && status !== "ready");
      return isOver ? all.map(({ owner, status }) => `${owner} ${status}`) : undefined;
    });
    expect(runs).toEqual(["rule:later failed", "rule:size stopped"]);
    expect(texts()).toEqual(["Which size?", OPT_OUT.text]);
    expect(await world.store.items({ status: "failed", limit: 9 })).toMatchObject([
      { action: { text: "A reminder." }, reason: "the person has opted out" },
    ]);
  });

  it("withdraws unsent messages", async () => {
    await world.bot.hears("1", "200", "hello");
    await when(async () => (await world.store.items({ status: "pending", limit: 9 }))[0]);
    await world.bot.hears("2", "200", "stop");
    await when(async () => (await world.store.items({ status: "expired", limit: 9 }))[0]);
    await decided();

    expect(texts()).toEqual([OPT_OUT.text]);
  });

  it("is answered again after opting in", async () => {
    await hears("1", "200", "Abmelden.");
    expect(await hears("2", "200", "Start")).toMatchObject({
      reason: "the message ends the person's opt-out",
    });
    await hears("3", "200", "hello");

    expect(texts()).toEqual([OPT_OUT.text, "Welcome back.", "Sorry?"]);
  });

  it("does not count if the message only contains the word", async () => {
    await hears("1", "200", "where is the bus stop");
    await hears("2", "200", "start");

    expect(texts()).toEqual(["Sorry?", "Sorry?"]);
  });
});

describe("a word for opting out", () => {
  test.each([
    ["stop", true, "as it is"],
    ["  ＳＴＯＰ !! ", true, "in wide letters, with marks"],
    ["“stop”", true, "in quotes"],
    ["abmelden", true, "the second word, in another case"],
    ["please stop", false, "with more words"],
    ["stopp", false, "another word"],
    ["🛑", true, "a sign"],
    ["!!!", false, "marks that are nothing else"],
    [`${"!".repeat(496)}stop`, true, "the longest that counts, 500 characters"],
    [`${"!".repeat(497)}stop`, false, "one character more"],
    [`${"!".repeat(9_000)}stop`, false, "nobody writes that long to stop"],
  ])("%j: %s: %s", (text, expected) => {
    expect(says(messageReceived({ text }), ["STOP", "Abmelden", "🛑"])).toBe(expected);
  });

  it("may follow the mentions of a post", () => {
    expect(says(postMentioned({ text: "@shop @other Stop." }), ["stop"])).toBe(true);
    expect(says(postMentioned({ text: "@shop @other Stop it" }), ["stop"])).toBe(false);
  });

  test.each([
    ["\u2066\u202a@shop\u202c\u2069 توقف", true, "an app marks the direction of the handle"],
    ["تَوَقَّفْ \u2066@hello_bot\u2069", true, "also after the word, which has vowel marks"],
    ["\u200f@shop لا توقف", false, "with another word"],
    ["＠shop　停止。", true, "a wide sign before the handle"],
    ["停止＠hello_bot", true, "also without a space"],
    ["停止＠ana", false, "a handle that is not the account's"],
    ["ΤΕΛΟΣ!", true, "Greek capitals have no accents"],
  ])("counts in a post in every script: %j: %s: %s", (text, expected) => {
    expect(says(postMentioned({ text }), ["توقف", "停止", "τέλος"])).toBe(expected);
  });

  it("is not searched for in a long post, in which the search would take minutes", () => {
    const text = `Stop @${"_".repeat(400_000)}é`;

    expect(says(postMentioned({ text }), ["stop"])).toBe(false);
  });

  it("may precede the account's handle, but no other", () => {
    expect(says(postMentioned({ text: "Stop, @Hello_Bot!" }), ["stop"])).toBe(true);
    expect(says(postMentioned({ text: "stop @hello_bot_fan" }), ["stop"])).toBe(false);
    expect(says(postMentioned({ text: "stop @ana" }), ["stop"])).toBe(false);
  });

  test.each([[[]], [["post.found"]]] as const)(
    "does not count in a post to others, with the triggers %j",
    (triggers) => {
      const post = postMentioned({ text: "stop", mentions: [] });

      expect(says({ ...post, triggers }, ["stop"])).toBe(false);
      expect(says({ ...post, triggers: [...triggers, "post.replied"] }, ["stop"])).toBe(true);
    },
  );

  it("counts only from the person, not from the account itself", () => {
    const event = messageReceived({ text: "stop" });

    expect(says(event, ["stop"])).toBe(true);
    expect(says({ ...event, direction: "outbound" }, ["stop"])).toBe(false);
  });
});
