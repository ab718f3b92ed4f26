import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signatureOf } from "../../src/runtime/webhook/signature.ts";
import { botOnSandbox, type BotOnSandbox, type Stranger } from "../support/bot-on-sandbox.ts";
import { type Interface, liveBody, type LivePost } from "../support/live-body.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: status
    group: none
    triggers: [post.mentioned]
    conditions: [{post.text: {starts_with: status}}]
    actions: [{reply: "starts \${{ event.key }}"}]
  - id: hours
    group: none
    triggers: [post.mentioned]
    conditions: [{post.text: {equals: opening hours}}]
    actions: [{reply: "equals \${{ event.key }}"}]
  - id: choice
    group: none
    triggers: [post.mentioned]
    conditions: [{post.text: {in: ["yes", "no"]}}]
    actions: [{reply: "in \${{ event.key }}"}]
  - id: pattern
    group: none
    triggers: [post.mentioned]
    conditions: [{post.text: {matches: "^yes$"}}]
    actions: [{reply: "matches \${{ event.key }}"}]
  - id: plz
    group: none
    triggers: [post.mentioned]
    conditions: [{post.text: {contains_word: plz}}]
    actions: [{reply: "version \${{ post.version }} \${{ event.key }}"}]
  - id: edited
    group: none
    triggers: [post.edited]
    actions: [{reply: "edit \${{ post.version }} \${{ post.edit_of.orValue('') }}"}]
  - id: order
    group: none
    triggers: [post.mentioned]
    conditions: [{post.text: {contains_word: order}}]
    actions:
      - reply: "yes or no, \${{ sender.username }}?"
      - {id: said, wait_for: {trigger: post.replied, conditions: [{post.text: {in: ["yes", "no"]}}], within: 10m, on_timeout: [stop]}}
      - reply: "said \${{ sender.username }}"
  - id: quoted
    group: none
    triggers: [post.quoted]
    actions: [{reply: "quotes \${{ post.quoted.id.orValue('') }} \${{ event.key }}"}]
`;

let bot: BotOnSandbox;
beforeAll(async () => {
  bot = await botOnSandbox({
    rules: { "rules.yaml": RULES },
    env: { ANSWERBACK_SOURCE: "both" },
  });
  await bot.start();
});
afterAll(() => bot.close());

/** Creates a post on the platform without a delivery to the bot; returns its id. */
async function silentPost(by: string): Promise<string> {
  return (await bot.sandbox.control.act(by, { type: "post", text: "so it is" })).id;
}

async function own(text: string): Promise<string> {
  return (await bot.sandbox.control.act(bot.file.bot.id, { type: "post", text })).id;
}

interface Shown {
  readonly id: string;
  readonly authorId: string;
  readonly text: string;
  readonly replyTo?: string;
  readonly replyToUserId?: string;
}

/** Returns the bot's answers to a person, oldest first. */
async function answersTo({ id }: Stranger): Promise<readonly Shown[]> {
  const { tables } = await bot.sandbox.control.get<{ tables: { posts: readonly Shown[] } }>(
    "/state",
  );
  return tables.posts.filter(
    ({ authorId, replyToUserId }) => authorId === bot.file.bot.id && replyToUserId === id,
  );
}

/** Delivers a signed body to the bot's webhook. */
async function receives(body: object): Promise<void> {
  const raw = JSON.stringify(body);
  const response = await fetch(new URL("/webhook", bot.address), {
    method: "POST",
    body: raw,
    headers: {
      "content-type": "application/json",
      "x-twitter-webhooks-signature": signatureOf(raw, bot.file.app.consumerSecret),
    },
  });
  expect(response.status).toBe(200);
}

const SHAPES = (["classic", "activity"] as const).flatMap((kind) =>
  (["tweet", "post"] as const).map((dialect) => ({ kind, dialect })),
);

describe.each(SHAPES)("a delivery of the $kind kind in the $dialect dialect", (shape) => {
  let person: Stranger;
  let root: string;
  beforeAll(async () => {
    root = await silentPost(bot.people.ana);
  });

  const fromSomeone = async (): Promise<void> => {
    person = await bot.stranger("ben");
  };
  const us = () => bot.file.bot;
  const post = async (
    written: Pick<LivePost, "text"> & Partial<LivePost>,
    type: Interface["type"] = "post.mention.create",
  ): Promise<string> => {
    const id = written.id ?? (await silentPost(person.id));
    const people = [us(), { id: bot.people.ana, username: "ana" }];
    await receives(
      liveBody({ ...shape, type }, { ...written, id, author: person, us: us(), people }),
    );
    return id;
  };
  const texts = async (): Promise<readonly string[]> => {
    await bot.quiet();
    return (await answersTo(person)).map(({ text }) => text);
  };
  const toAna = () => ({ replyTo: { id: root, author: bot.people.ana } });

  it("is not answered if the handle is inherited from the thread, also two levels down", async () => {
    await fromSomeone();
    const first = await post({
      text: "@ana @hello_bot status, see you there",
      prefix: 16,
      ...toAna(),
    });
    await post({
      text: "@ben @ana @hello_bot yes",
      prefix: 21,
      replyTo: { id: first, author: person.id },
    });

    expect(await texts()).toEqual([]);
  });

  it.each([
    { text: "@hello_bot status", ran: ["starts"] },
    { text: "@hello_bot opening hours", ran: ["equals"] },
    { text: "@hello_bot yes", ran: ["in", "matches"] },
    { text: "@hello_bot no", ran: ["in"] },
    { text: "@hello_bot: yes", ran: ["in", "matches"] },
    { text: "my status @hello_bot", ran: [] },
  ])("is answered by the words behind the handle: $text", async ({ text, ran }) => {
    await fromSomeone();
    const id = await post({ text });

    expect((await texts()).toSorted()).toEqual(ran.map((word) => `${word} post:${id}`));
  });

  it("is answered if the handle is typed in a reply", async () => {
    await fromSomeone();
    const id = await post({ text: "@ana @hello_bot @hello_bot status", prefix: 16, ...toAna() });

    expect(await texts()).toEqual([`starts post:${id}`]);
  });

  it("is answered once if it is edited, and has its version", async () => {
    await fromSomeone();
    const first = await post({ text: "@hello_bot opening hours plz" });
    const second = await silentPost(person.id);
    const edited = { id: second, text: "@hello_bot opening hours plz!", versions: [first, second] };
    await when(async () => ((await answersTo(person)).length > 0 ? true : undefined));
    await post(edited);
    await post(edited);

    expect(await texts()).toEqual([`version 1 post:${first}`, `edit 2 ${first}`]);
  });

  it("can be the answer that a run waits for", async () => {
    await fromSomeone();
    await post({ text: "@hello_bot order" });
    const question = await when(async () => (await answersTo(person))[0]);
    const answered = { replyTo: { id: question.id, author: us().id }, prefix: 11 };
    await post({ text: "@hello_bot hm", ...answered }, "post.reply.create");
    await post({ text: "@hello_bot yes", ...answered }, "post.reply.create");

    expect((await texts()).at(-1)).toBe(`said ${person.username}`);
  });

  it("can quote the bot's post by the URL alone", async () => {
    await fromSomeone();
    const ours = await own("We are open");
    const quote = { text: "see this https://t.co/aaaaaaaaaa", quoteOf: ours };
    const id = await post(quote, "post.quote.create");

    expect(await texts()).toEqual([`quotes ${ours} post:${id}`]);
  });
});
