import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { says } from "../../../../src/runtime/runs/restraints/opt-out-words.ts";
import type { Store } from "../../../../src/runtime/store/store.ts";
import { messageReceived, postMentioned } from "../../../support/events.ts";
import { handClock, type HandClock } from "../../../support/hand-clock.ts";
import { when } from "../../../support/when.ts";
import type { Place } from "../../store/contract.ts";
import { folderPlace } from "../../store/place.ts";
import { type Life, liveOn, type Said } from "../lives.ts";

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

let place: Place;
let store: Store;
let clock: HandClock;
let life: Life;
let platform: Said[];

beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
  clock = handClock();
  platform = [];
  life = await live();
});
afterEach(async () => {
  await life.end();
  await store.close();
  await place.remove();
});

const live = () =>
  liveOn({ store, clock, rules: RULES, platform, restraints: { optOut: OPT_OUT } });
const texts = (): string[] => platform.map(({ text }) => text);
/** What became of the newest entry, once it is decided and all is sent that follows at once. */
const decided = () =>
  when(async () => {
    await life.sends();
    const [row] = await store.journal({ limit: 1 });
    const open = await store.items({ status: "pending", limit: 1 });
    if (row === undefined || row.state === "open" || open.length > 0) return undefined;
    return JSON.parse(row.decision ?? "{}");
  });
const hears = async (id: string, from: string, text: string) => {
  await life.hears(id, from, text);
  return decided();
};

describe("who opts out", () => {
  it("is told once, and hears nothing more from any rule, also after a restart", async () => {
    expect(await hears("1", "200", "STOP!")).toMatchObject({
      ran: [],
      reason: "the person opts out with this",
    });
    await hears("2", "200", "human?");
    await life.end();
    await store.close();
    store = await place.open();
    life = await live();

    expect(await hears("3", "200", "order")).toMatchObject({
      ran: [],
      reason: "the person has opted out",
    });
    await hears("4", "200", "stop");
    await hears("5", "201", "hello");
    expect(texts()).toEqual([OPT_OUT.text, "Sorry?"]);
  });

  it("ends the conversation, and what was on its way in a while never comes", async () => {
    await hears("1", "200", "remind me");
    await hears("2", "200", "order");
    await hears("3", "200", "stop");
    clock.advance(20 * MINUTE);
    life.wake();

    const runs = await when(async () => {
      await life.sends();
      const rows = await store.journal({ limit: 9 });
      const all = rows.toReversed().flatMap((row) => row.runs);
      const isOver = all.every(({ status }) => status !== "waiting" && status !== "ready");
      return isOver ? all.map(({ owner, status }) => `${owner} ${status}`) : undefined;
    });
    expect(runs).toEqual(["rule:later failed", "rule:size stopped"]);
    expect(texts()).toEqual(["Which size?", OPT_OUT.text]);
    expect(await store.items({ status: "failed", limit: 9 })).toMatchObject([
      { action: { text: "A reminder." }, reason: "the person has opted out" },
    ]);
  });

  it("takes with them what had not left yet", async () => {
    await life.hears("1", "200", "hello");
    await when(async () => (await store.items({ status: "pending", limit: 9 }))[0]);
    await life.hears("2", "200", "stop");
    await when(async () => (await store.items({ status: "expired", limit: 9 }))[0]);
    await decided();

    expect(texts()).toEqual([OPT_OUT.text]);
  });

  it("is answered again once they say so", async () => {
    await hears("1", "200", "Abmelden.");
    expect(await hears("2", "200", "Start")).toMatchObject({
      reason: "the person wants to be answered again",
    });
    await hears("3", "200", "hello");

    expect(texts()).toEqual([OPT_OUT.text, "Welcome back.", "Sorry?"]);
  });

  it("is nobody who only uses the word", async () => {
    await hears("1", "200", "where is the bus stop");
    await hears("2", "200", "start");

    expect(texts()).toEqual(["Sorry?", "Sorry?"]);
  });
});

describe("a word that opts out", () => {
  test.each([
    ["stop", true, "as it is"],
    ["  ＳＴＯＰ !! ", true, "in wide letters, with marks"],
    ["“stop”", true, "in quotes"],
    ["abmelden", true, "the second word, in another case"],
    ["please stop", false, "with more words"],
    ["stopp", false, "another word"],
    ["🛑", true, "a sign"],
    ["!!!", false, "marks that are nothing else"],
    [`${"!".repeat(9_000)}stop`, false, "nobody writes that long to stop"],
  ])("%j: %s: %s", (text, expected) => {
    expect(says(messageReceived({ text }), ["STOP", "Abmelden", "🛑"])).toBe(expected);
  });

  it("may follow the names of whom a post is written to", () => {
    expect(says(postMentioned({ text: "@shop @other Stop." }), ["stop"])).toBe(true);
  });
});
