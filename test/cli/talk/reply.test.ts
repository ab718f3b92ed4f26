import { expect, it, onTestFinished } from "vitest";
import { EXIT } from "../../../src/cli/exit-codes.ts";
import { botOnSandbox, type BotOnSandbox } from "../../support/bot-on-sandbox.ts";
import { begin, type Ran } from "../../support/command-line.ts";

/** Asks people who mention it with the word "vote" in public, and answers each other reply. */
const RULES = {
  "vote.yaml": `version: 1
rules:
  - id: vote
    triggers: [post.mentioned]
    conditions: [{ post.text: { contains_word: vote } }]
    actions:
      - id: vote
        ask: { in: public, text: "Emma or Dracula?", expect: { in: [Emma, Dracula] }, within: 1h }
      - reply_post: "Noted: \${{ steps.vote.choice }}"
  - id: thanks
    triggers: [post.replied]
    conditions: [{ post.text: { contains_word: thanks } }]
    actions: [{ reply_post: "You are welcome" }]
`,
};

async function startedBot(): Promise<BotOnSandbox> {
  const bot = await botOnSandbox({ shared: false, rules: RULES });
  onTestFinished(() => bot.close());
  await bot.start();
  return bot;
}

function command({ folder }: BotOnSandbox, args: readonly string[], input?: string): Promise<Ran> {
  return begin({ cwd: folder, ...(input !== undefined && { input }) }, [...args, "--wait", "600"])
    .ended;
}

it("a reply answers the bot's question in public", async () => {
  const bot = await startedBot();
  const question = await command(bot, ["send", "@ana", "--post", "@hello_bot vote"]);
  const reply = await command(bot, ["send", "@ana", "--reply", "Dracula"]);

  expect(question).toMatchObject({ code: EXIT.ok, out: "@hello_bot: Emma or Dracula?\n" });
  expect(reply).toMatchObject({ code: EXIT.ok, out: "@hello_bot: Noted: Dracula\n" });
});

it("a reply belongs to the person's own conversation, not to a newer one", async () => {
  const bot = await startedBot();
  await command(bot, ["send", "@ana", "--post", "@hello_bot vote"]);
  await command(bot, ["send", "@ben", "--post", "@hello_bot vote"]);

  expect((await command(bot, ["send", "@ana", "--reply", "Emma"])).out).toBe(
    "@hello_bot: Noted: Emma\n",
  );
  expect((await command(bot, ["send", "@ben", "--reply", "Dracula"])).out).toBe(
    "@hello_bot: Noted: Dracula\n",
  );
});

it("in a chat, /reply replies to the bot's newest post to the user", async () => {
  const bot = await startedBot();
  const lines =
    "/post @hello_bot vote\n/reply Emma\n/as @ben\n/post @hello_bot vote\n/reply Dracula\n";

  expect(await command(bot, ["chat", "--as", "@ana"], lines)).toMatchObject({
    code: EXIT.ok,
    out:
      "@hello_bot: Emma or Dracula?\n@hello_bot: Noted: Emma\n" +
      "@hello_bot: Emma or Dracula?\n@hello_bot: Noted: Dracula\n",
  });
});

it("the bot's newest post gets the reply of a person whom it has not answered", async () => {
  const bot = await startedBot();
  const { control } = bot.sandbox;
  const botId = bot.file.bot.id;
  await control.act(botId, { type: "post", text: "We open at nine" });
  const { id: news } = await control.act(botId, { type: "post", text: "We open at eight" });
  const { id: mistake } = await control.act(botId, { type: "post", text: "We never open" });
  await control.act(botId, { type: "delete", post_id: mistake });

  const reply = await command(bot, ["send", "@ana", "--reply", "thanks"]);

  expect(reply).toMatchObject({ code: EXIT.ok, out: "@hello_bot: You are welcome\n" });
  const posts = await control.objects("posts");
  expect(posts.find(({ text }) => text.endsWith("thanks"))).toMatchObject({
    author_id: bot.people.ana,
    in_reply_to_post_id: news,
  });
});

it("a post that mentions the person gets the reply, rather than an older conversation", async () => {
  const bot = await startedBot();
  const { control } = bot.sandbox;
  const botId = bot.file.bot.id;
  await command(bot, ["send", "@ana", "--post", "@hello_bot vote"]);
  const { id: prize } = await control.act(botId, { type: "post", text: "@Ana, you have won" });
  await control.act(botId, { type: "post", text: "@anastasia, you have won, too" });
  await command(bot, ["send", "@ana", "--reply", "thanks"]);

  const posts = await control.objects("posts");
  expect(posts.find(({ text }) => text.endsWith("thanks"))?.in_reply_to_post_id).toBe(prize);
});

it("a reply without an answer has its reason", async () => {
  const bot = await startedBot();
  await command(bot, ["send", "@ana", "--post", "@hello_bot vote"]);
  await command(bot, ["send", "@ana", "--reply", "Emma"]);
  const { code, err } = await command(bot, ["send", "@ana", "--reply", "and now?"]);

  expect({ code, err }).toEqual({
    code: EXIT.problems,
    err: expect.stringMatching(/^no answer: no rule matched; the closest is thanks: /),
  });
});

it("a reply is refused where the bot has no post", async () => {
  const bot = await startedBot();
  const { code, out, err } = await command(bot, ["send", "@ana", "--reply", "thanks"]);

  expect({ code, out }).toEqual({ code: EXIT.usage, out: "" });
  expect(err).toContain("@hello_bot has no post that @ana could reply to");
  expect(err).toContain("answerback send @ana --post '@hello_bot hello'");
  expect(await bot.sandbox.control.objects("posts")).toEqual([]);
});

it.each([
  ["--post", "--reply"],
  ["--follow", "--reply"],
  ["--post", "--follow"],
])("%s and %s at once are refused", async (...flags) => {
  const bot = await botOnSandbox({ shared: false });
  onTestFinished(() => bot.close());
  const { code, err } = await command(bot, ["send", "@ana", ...flags, "thanks"]);

  expect(code).toBe(EXIT.usage);
  for (const flag of flags) expect(err).toContain(flag);
  expect(await bot.sandbox.control.objects("posts")).toEqual([]);
});

it("what the platform refuses to a person is reported with the reason", async () => {
  const bot = await startedBot();
  const { control } = bot.sandbox;
  const { id } = bot.file.bot;
  await control.call("PATCH", `/users/${id}`, { protected: true });
  const follow = await command(bot, ["send", "@ana", "--follow"]);
  const [ana] = await control.users("ana");
  await control.act(id, { type: "block", user_id: ana?.id ?? "" });
  const message = await command(bot, ["send", "@ana", "hello"]);

  expect(follow.code).toBe(EXIT.usage);
  expect(follow.err).toContain("the follow of @ana waits until @hello_bot accepts it");
  expect(message.code).not.toBe(EXIT.ok);
  expect(message.err).toContain("@ana can't write to @hello_bot: @hello_bot has blocked @ana.");
});
