import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventOf } from "../../src/runtime/runs/entry-event.ts";
import { botOnSandbox, type BotOnSandbox, type Stranger } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const MINUTE = 60_000;
const RULES = `version: 1
rules:
  - id: hours
    triggers: [post.mentioned]
    conditions: [{post.text: {starts_with: opening}}]
    actions: [{reply: "\${{ post.text }}: from nine"}]
  - id: thanks
    triggers: [post.replied]
    conditions: [{post.text: {starts_with: thanks}}]
    actions: [{reply: "\${{ post.text }}: welcome"}]
  - id: later
    triggers: [post.mentioned]
    conditions: [{post.text: {starts_with: remind}}]
    actions: [{delay: 10m}, {reply: "\${{ post.text }}: it is time"}]
  - id: ask
    triggers: [post.mentioned]
    conditions: [{post.text: {starts_with: order}}]
    actions:
      - reply: "Shall we look it up, \${{ sender.username }}?"
      - {id: first, wait_for: {trigger: post.replied, conditions: [{post.text: {in: ["yes", "no"]}}], within: 1h, on_timeout: [stop]}}
      - reply: "\${{ steps.first.text }}. Sure, \${{ sender.username }}?"
      - {id: second, wait_for: {trigger: post.replied, within: 1h, on_timeout: [stop]}}
      - reply: "It is \${{ steps.second.text }}, \${{ sender.username }}"
  - id: edits
    group: none
    triggers: [post.edited]
    actions: [{reply_dm: "\${{ post.former_text.orValue('') }} > \${{ post.text }} (\${{ post.version }} of \${{ post.edit_of.orValue('') }})"}]
  - id: gone
    triggers: [post.deleted]
    actions: [{reply_dm: "\${{ post.id }} is gone"}]
`;

let bot: BotOnSandbox;
/** Interval between two polls, in milliseconds; 0 if events are delivered by webhook. */
let pause = 0;

async function started(source: string): Promise<void> {
  pause = source === "polling" ? 15_000 : 0;
  bot = await botOnSandbox({ rules: { "rules.yaml": RULES }, env: { ANSWERBACK_SOURCE: source } });
  await bot.start();
}

interface Shown {
  readonly id: string;
  readonly authorId: string;
  readonly text: string;
  readonly replyTo?: string;
  readonly replyToUserId?: string;
}

/** Returns the bot's posts that answer a person, oldest first. */
async function answersTo({ id }: Pick<Stranger, "id">): Promise<readonly Shown[]> {
  const { tables } = await bot.sandbox.control.get<{ tables: { posts: readonly Shown[] } }>(
    "/state",
  );
  return tables.posts.filter(
    ({ authorId, replyToUserId }) => authorId === bot.file.bot.id && replyToUserId === id,
  );
}

const textsTo = async (person: Stranger): Promise<readonly string[]> =>
  (await answersTo(person)).map(({ text }) => text);

/** Waits for the answer with this number to a person, counted from 1. */
function answer(person: Stranger, count: number): Promise<Shown> {
  return when(async () => (await answersTo(person))[count - 1]);
}

/** Resolves once the bot has decided on a post. */
async function decided(post: string): Promise<void> {
  await when(async () =>
    (await bot.journal()).find(({ key, state }) => key === `post:${post}` && state === "done"),
  );
}

async function posts(person: Stranger, text: string, in_reply_to?: string): Promise<string> {
  const { control } = bot.sandbox;
  const { id } = await control.act(person.id, { type: "post", text, in_reply_to });
  if (pause > 0) await control.advance(pause);
  return id;
}

async function edits(person: Pick<Stranger, "id">, post_id: string, text: string): Promise<string> {
  const { control } = bot.sandbox;
  const { id } = await control.act(person.id, { type: "edit", post_id, text });
  if (pause > 0) await control.advance(pause);
  return id;
}

async function own(text: string): Promise<string> {
  return (await bot.sandbox.control.act(bot.file.bot.id, { type: "post", text })).id;
}

describe.each(["webhook", "activity", "both", "polling"])("with  source: %s", (source) => {
  let news: string;
  let count = 0;
  const someone = (): Promise<Stranger> => {
    count += 1;
    return bot.stranger("someone");
  };
  beforeAll(async () => {
    await started(source);
    news = await own("We are open");
  });
  afterAll(() => bot.close());

  it.each([
    { what: "a mention", of: "@hello_bot opening", says: "opening", ends: "from nine" },
    { what: "a reply", of: "thanks", says: "thanks", ends: "welcome" },
  ])(
    "$what that is edited is answered once; each edit runs the rule about edits once",
    async (one) => {
      const person = await someone();
      const first = await posts(person, `${one.of} plz`, one.what === "a reply" ? news : undefined);
      await answer(person, 1);
      await edits(person, first, `${one.of} please`);
      await person.answers(1);
      await edits(person, first, `${one.of}, please`);

      expect(await person.answers(2)).toEqual([
        `${one.says} plz > ${one.says} please (2 of ${first})`,
        `${one.says} please > ${one.says}, please (3 of ${first})`,
      ]);
      await bot.quiet();
      expect(await textsTo(person)).toEqual([`${one.says} plz: ${one.ends}`]);
    },
  );

  it("an accepted answer that is edited is not accepted again by the next question", async () => {
    const person = await someone();
    await posts(person, "@hello_bot order");
    const said = await posts(person, "yes", (await answer(person, 1)).id);
    const { id: sure } = await answer(person, 2);
    await edits(person, said, "no");
    await person.answers(1);
    await posts(person, "sure", sure);
    await answer(person, 3);

    const { username } = person;
    expect(await textsTo(person)).toEqual([
      `Shall we look it up, ${username}?`,
      `yes. Sure, ${username}?`,
      `It is sure, ${username}`,
    ]);
  });

  it("an invalid answer is accepted once an edit makes it valid", async () => {
    const person = await someone();
    await posts(person, "@hello_bot order");
    const said = await posts(person, "yse", (await answer(person, 1)).id);
    await decided(said);
    await edits(person, said, "yes");
    await answer(person, 2);

    expect((await textsTo(person)).slice(1)).toEqual([`yes. Sure, ${person.username}?`]);
  });

  it("a mention that no rule answered is answered once an edit makes it one that a rule answers", async () => {
    const person = await someone();
    const first = await posts(person, "@hello_bot opning");
    await decided(first);
    await edits(person, first, "@hello_bot openin hours");
    await person.answers(1);
    await edits(person, first, "@hello_bot opening hours");
    await answer(person, 1);
    await edits(person, first, "@hello_bot opening hours!");
    await person.answers(3);
    await bot.quiet();

    expect(await textsTo(person)).toEqual(["opening hours: from nine"]);
  });

  it("an answer to an older version of the bot's question is accepted", async () => {
    const person = await someone();
    await posts(person, "@hello_bot order");
    const { id: question } = await answer(person, 1);
    await edits(bot.file.bot, question, "Shall we look that up?");
    await posts(person, "yes", question);
    await when(async () =>
      (await textsTo(person)).includes(`yes. Sure, ${person.username}?`) ? true : undefined,
    );

    expect(await person.answers(0)).toEqual([]);
  });

  it("an answer is published under the version that was received, although it was edited since", async () => {
    const person = await someone();
    const first = await posts(person, "@hello_bot remind me");
    await decided(first);
    await edits(person, first, "@hello_bot remind us");
    await person.answers(1);
    await bot.sandbox.control.advance(11 * MINUTE);
    const reply = await answer(person, 1);

    expect(reply).toMatchObject({ text: "remind me: it is time", replyTo: first });
    await bot.quiet();
    expect(await textsTo(person)).toHaveLength(1);
  });

  it("a post that was edited while the bot was off is answered once, in its latest version", async () => {
    const [seen, missed, both] = [await someone(), await someone(), await someone()];
    const first = await posts(seen, "@hello_bot opening plz");
    const answered = await posts(both, "thanks a lt", news);
    await Promise.all([answer(seen, 1), answer(both, 1)]);
    await bot.sandbox.control.advance(2 * MINUTE);
    await bot.stop();
    await edits(seen, first, "@hello_bot opening please");
    await edits(both, answered, "thanks a lot");
    await edits(both, answered, "thanks a lot!");
    await edits(
      missed,
      await posts(missed, "@hello_bot opening huors"),
      "@hello_bot opening hours",
    );
    await bot.sandbox.control.advance(10 * MINUTE);
    await bot.start();
    await Promise.all([seen.answers(1), both.answers(1), answer(missed, 1)]);
    for (let minutes = 0; minutes < 15; minutes += 5) await bot.sandbox.control.advance(5 * MINUTE);
    await bot.quiet();

    expect(await textsTo(seen)).toEqual(["opening plz: from nine"]);
    expect(await seen.answers(0)).toEqual([`opening plz > opening please (2 of ${first})`]);
    expect(await textsTo(both)).toEqual(["thanks a lt: welcome"]);
    expect((await both.answers(0))[0]).toMatch(/^thanks a lt > thanks a lot/);
    expect(await textsTo(missed)).toEqual(["opening hours: from nine"]);
    expect(await missed.answers(0)).toEqual([]);
  });
});

describe("a post that is edited before the bot has decided on it", () => {
  beforeAll(() => started("webhook"));
  afterAll(() => bot.close());

  it.each([
    { texts: ["opning", "opening?"], answered: "opening?", of: "the version that a rule matches" },
    { texts: ["opning", "opening", "opening!"], answered: "opening!", of: "the newest version" },
    { texts: ["opening", "opening!"], answered: "opening", of: "the first version, if it matches" },
  ])("is answered once, with the text of $of", async ({ texts, answered }) => {
    const [first = "", ...later] = texts.map((text) => `@hello_bot ${text}`);
    const person = await bot.stranger("hasty");
    await bot.ask("pause", {});
    const id = await posts(person, first);
    for (const text of later) await edits(person, id, text);
    // The bot decides on a version that has come, so all of them have to come first.
    await bot.sandbox.control.advance(0);
    await bot.ask("resume", {});
    await answer(person, 1);
    await person.answers(later.length);
    await bot.quiet();

    expect(await textsTo(person)).toEqual([`${answered}: from nine`]);
    const versions = (await bot.journal()).flatMap((row) => {
      const event = eventOf(row);
      return event.kind === "post" && event.sender.id === person.id ? [event] : [];
    });
    expect(versions.map(({ post, triggers }) => [post.text, triggers])).toEqual(
      texts.toReversed().map((text) => {
        const edited = text === texts[0] ? [] : ["post.edited"];
        const isMention = text === texts[0] || text === answered;
        return [text, isMention ? [...edited, "post.mentioned"] : edited];
      }),
    );
  });
});

describe("a post that is deleted", () => {
  beforeAll(() => started("webhook"));
  afterAll(() => bot.close());

  it("is deleted in all its versions, which is one event", async () => {
    const person = await bot.stranger("someone");
    const first = await posts(person, "@hello_bot opening plz");
    await answer(person, 1);
    const second = await edits(person, first, "@hello_bot opening please");
    await person.answers(1);
    await bot.sandbox.control.act(person.id, { type: "delete", post_id: second });
    await person.answers(2);
    await bot.sandbox.control.advance(0);
    await bot.quiet();

    expect((await person.answers(2)).slice(1)).toEqual([`${first} is gone`]);
  });
});

describe("a bot that is killed between a post and its edit", () => {
  beforeAll(async () => {
    bot = await botOnSandbox({ rules: { "rules.yaml": RULES } });
    await bot.startProcess();
  });
  afterAll(() => bot.close());

  it("answers once, whether it had answered before or not", async () => {
    const [answered, received] = [await bot.stranger("answered"), await bot.stranger("received")];
    const first = await posts(answered, "@hello_bot opening plz");
    await answer(answered, 1);
    const second = await posts(received, "@hello_bot opening huors");
    await bot.kill();
    await edits(answered, first, "@hello_bot opening please");
    await edits(received, second, "@hello_bot opening hours");
    // Advances the clock past the leases of the killed process, and past the last retry of a delivery.
    await bot.sandbox.control.advance(10 * MINUTE);
    await bot.start();
    await Promise.all([answered.answers(1), answer(received, 1)]);
    for (let minutes = 0; minutes < 15; minutes += 5) await bot.sandbox.control.advance(5 * MINUTE);
    await bot.quiet();

    expect(await textsTo(answered)).toEqual(["opening plz: from nine"]);
    expect(await answered.answers(0)).toEqual([`opening plz > opening please (2 of ${first})`]);
    expect(await textsTo(received)).toEqual([
      expect.stringMatching(/^opening (huors|hours): from nine$/),
    ]);
  });
});
