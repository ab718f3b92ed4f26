import { afterEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    actions: [{reply_dm: {text: "re \${{ message.text }}"}}]
  - id: public
    triggers: [post.mentioned]
    actions: [{reply_post: {text: "hello \${{ sender.username }}"}}]
  - id: welcome
    triggers: [user.followed]
    actions: [{reply_dm: {text: "welcome"}}]
  - id: thanks
    triggers: [post.liked]
    actions: [{reply_dm: {text: "thanks"}}]
`;
const MINUTE = 60_000;

let bot: BotOnSandbox;
afterEach(() => bot.close());

const startedBy = async (source: "activity" | "both") => {
  bot = await botOnSandbox({
    rules: { "rules.yaml": RULES },
    env: { ANSWERBACK_SOURCE: source },
  });
  return bot.startProcess();
};

/** Causes each event that the rules answer, once. */
async function traffic(): Promise<void> {
  const { control } = bot.sandbox;
  const { id: me } = bot.file.bot;
  const { id: post_id } = await control.act(me, { type: "post", text: "We are open" });
  await control.act(bot.people.ana, { type: "dm", to: me, text: "R&D?" });
  await control.act(bot.people.ana, { type: "post", text: "@hello_bot are you open?" });
  await control.act(bot.people.ana, { type: "follow", user_id: me });
  await control.act(bot.people.ben, { type: "like", post_id });
}

/** Resolves when at least `count` answers were sent. */
const sent = (count: number) =>
  when(async () => ((await bot.items("sent")).length >= count ? true : undefined));

/** Returns the bot's answers to each person, and its public posts. */
async function answers() {
  const items = await bot.items();
  const replies = items.filter(({ action }) => action.type === "reply_post");
  return {
    ana: (await bot.messagesTo("ana")).toSorted(),
    ben: await bot.messagesTo("ben"),
    replies: replies.length,
  };
}

/** Counts the deliveries by event. */
async function delivered(): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { event } of await bot.sandbox.control.deliveries()) {
    counts.set(event, (counts.get(event) ?? 0) + 1);
  }
  return counts;
}

describe("a bot that gets events by the activity interface", () => {
  it("answers messages, mentions, follows and likes; events that it missed after a kill are read back", async () => {
    const status = await startedBy("activity");
    expect(status).toMatchObject({ source: "activity", accounts: [{ subscribed: true }] });
    await traffic();
    await sent(4);
    const first = { ana: ["re R&D?", "welcome"], ben: ["thanks"], replies: 1 };
    expect(await answers()).toEqual(first);
    expect((await delivered()).get("direct_message_events")).toBeUndefined();

    await bot.kill();
    const { control } = bot.sandbox;
    await control.act(bot.people.ben, { type: "dm", to: bot.file.bot.id, text: "while away" });
    await control.act(bot.people.ben, { type: "post", text: "@hello_bot and me?" });
    // After ten minutes, no delivery is retried any more.
    await control.advance(10 * MINUTE);
    await bot.start();
    await sent(6);
    expect(await answers()).toEqual({
      ...first,
      ben: ["thanks", "re while away"],
      replies: 2,
    });
    const noReplay = "the activity interface has no replay";
    expect((await bot.status()).catchup).toMatchObject({ noReplay });
    const gap = await when(async () => {
      const { accounts } = await bot.ask("coverage", { hours: 1 });
      return accounts[0]?.spans.find(({ state }) => state === "backfilled");
    });
    expect(gap.reason).toContain(noReplay);
    const replay = await bot.ask("replay", { from: -3_600_000, to: -2_400_000 });
    expect(replay).toMatchObject({ accepted: false, problem: noReplay });
  });
});

describe("a bot that gets events by both interfaces", () => {
  it("receives events with an id twice, and answers once", async () => {
    await startedBy("both");
    await traffic();
    await sent(4);
    await bot.sandbox.control.advance(0);
    await bot.quiet();

    expect(await answers()).toEqual({ ana: ["re R&D?", "welcome"], ben: ["thanks"], replies: 1 });
    const counts = await delivered();
    for (const [one, other] of [
      ["direct_message_events", "dm.received"],
      ["post_create_events", "post.mention.create"],
      ["favorite_events", "like.create"],
    ] as const) {
      expect(counts.get(one), one).toBeGreaterThan(0);
      expect(counts.get(other), other).toBeGreaterThan(0);
    }
    // A follow has no id: two copies could not be distinguished from two follows.
    expect([counts.get("follow_events"), counts.get("follow.follow")]).toEqual([1, undefined]);
    const keys = (await bot.journal()).map(({ key }) => key);
    expect(keys).toHaveLength(new Set(keys).size);
  });
});
