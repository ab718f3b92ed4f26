import { afterEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: order
    triggers: [post.mentioned]
    conditions: [{post.text: {starts_with: order}}]
    actions:
      - id: size
        ask:
          in: public
          text: Small or large?
          expect: {in: [small, large]}
          retries: 1
          reprompt: Please say small or large.
          within: 1h
          on_timeout: [{reply: Another time then.}]
          on_invalid: [{reply: Please write us a message.}]
      - reply: "One \${{ steps.size.text }} coffee."
`;

let bot: BotOnSandbox;
afterEach(() => bot.close());

interface Shown {
  readonly id: string;
  readonly authorId: string;
  readonly text: string;
  readonly replyTo?: string;
}

/** Waits until the bot has published `count` posts, and returns them, oldest first. */
function posted(count: number): Promise<readonly Shown[]> {
  return when(async () => {
    const { tables } = await bot.sandbox.control.get<{ tables: { posts: readonly Shown[] } }>(
      "/state",
    );
    const own = tables.posts.filter(({ authorId }) => authorId === bot.file.bot.id);
    return own.length >= count ? own : undefined;
  });
}

async function says(text: string, inReplyTo?: string): Promise<string> {
  const post = await bot.sandbox.control.act(bot.people.ben, {
    type: "post",
    text,
    ...(inReplyTo === undefined ? {} : { in_reply_to: inReplyTo }),
  });
  return post.id;
}

async function begin(settings = ""): Promise<void> {
  bot = await botOnSandbox({ rules: { "order.yaml": RULES }, settings });
}

describe("a question in public", () => {
  it.each([
    { what: "by the classic webhook", settings: "" },
    { what: "by the activity interface", settings: "source: activity\n" },
  ])("takes a reply to it for the answer, without the handles in front: $what", async (one) => {
    await begin(one.settings);
    await bot.start();
    const order = await says(`@${bot.file.bot.username} order please`);
    const [question] = await posted(1);
    await says("LARGE", question?.id);

    const [, answer] = await posted(2);
    expect(question).toMatchObject({ text: "Small or large?", replyTo: order });
    expect(answer).toMatchObject({ text: "One LARGE coffee.", replyTo: order });
    expect(await bot.messagesTo("ben")).toEqual([]);
  });

  it("is asked anew in public, and given up in public", async () => {
    await begin();
    await bot.start();
    await says(`@${bot.file.bot.username} order please`);
    const [question] = await posted(1);
    await says("medium", question?.id);
    const [, second] = await posted(2);
    await says("@ana what would you take?", second?.id);

    expect((await posted(3)).map(({ text }) => text)).toEqual([
      "Small or large?",
      "Please say small or large.",
      "Please write us a message.",
    ]);
  });

  it("is answered once, through a kill -9 while it waits", async () => {
    await begin();
    await bot.startProcess();
    await says(`@${bot.file.bot.username} order please`);
    const [question] = await posted(1);
    await bot.quiet();
    await bot.kill();
    await says("small", question?.id);
    await bot.startProcess();

    await bot.quiet();
    expect((await posted(2)).map(({ text }) => text)).toEqual([
      "Small or large?",
      "One small coffee.",
    ]);
  });

  it("doesn't take what others reply to each other for the answer", async () => {
    await begin();
    await bot.start();
    await says(`@${bot.file.bot.username} order please`);
    const [question] = await posted(1);
    const other = await bot.sandbox.control.act(bot.people.ana, {
      type: "post",
      text: "small for me",
      in_reply_to: question?.id ?? "",
    });
    await says("large", other.id);
    await bot.quiet();
    expect(await posted(1)).toHaveLength(1);
    await says("small", question?.id);

    expect((await posted(2)).map(({ text }) => text)).toEqual([
      "Small or large?",
      "One small coffee.",
    ]);
  });
});
