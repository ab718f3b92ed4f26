import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../support/command-line.ts";
import { botOnSandbox, type BotOnSandbox, type Stranger } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: human
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: human}}]
    actions:
      - escalate: {queue: support, pause_bot: {until: resolved}}
  - id: hello
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hello}}]
    actions: [{reply: Hello!}]
`;

const SETTINGS = `
opt_out: {words: [STOP], back: [START]}
quiet_hours: {times: ["00:00-24:00"], zone: UTC}
limits: {replies: 1 in 10m, equal_replies: 1 in 10m}
`;

let bot: BotOnSandbox;
beforeAll(async () => {
  bot = await botOnSandbox({ rules: { "human.yaml": RULES }, settings: SETTINGS });
  await bot.startProcess();
});
afterAll(() => bot.close());

const cli = (...args: readonly string[]) =>
  run(bot.folder, ...args, "--config", "config/answerback.yaml");
const by = (text: string, person: string, more: object = {}) =>
  bot.ask("answerByHand", { person, text, by: "Kim", key: randomUUID(), ...more });
/** Creates a person with a message that no rule answers. */
const waiting = async (name: string, text = "is anybody there?"): Promise<Stranger> => {
  const person = await bot.stranger(name);
  await person.says(text);
  await decided(person);
  return person;
};
const entriesOf = async ({ id }: Stranger) =>
  (await bot.journal()).filter(({ lane }) => lane.endsWith(`/${id}`));
const decided = (person: Stranger) =>
  when(async () => {
    const own = await entriesOf(person);
    return own.length > 0 && own.every(({ state }) => state === "done") ? own : undefined;
  });

describe("an answer by hand", () => {
  it("reaches the person as a direct message, by the command line, and counts as answered", async () => {
    const ana = await waiting("Ana");

    const done = await cli("answer", `@${ana.username}`, "We are here.", "--by", "Kim");

    expect(done.out, done.err).toBe(
      `@${bot.file.bot.username} has answered @${ana.username} in a direct message.\n`,
    );
    expect(await ana.answers(1)).toEqual(["We are here."]);
    expect((await cli("why", `@${ana.username}`)).out).toContain(
      `answered by hand by Kim: message to @${ana.username}: We are here.`,
    );
    const journal = (await cli("journal", "--person", ana.username)).out;
    expect(journal).toMatch(/answer_by_hand .* by hand by Kim +We are here\./);
    expect(journal).toMatch(/dm\.received .* answered by hand by Kim +is anybody there\?/);
    const [own] = (await entriesOf(ana)).filter(({ kind }) => kind === "answer_by_hand");
    expect(own?.source).toBe("operator");
    const trace = (await cli("trace", String(own?.seq))).out;
    expect(trace).toContain(`answer by hand by Kim to @${ana.username}: "We are here."`);
    expect(trace).toMatch(/item \d+ sent at .*: message to \d+: We are here\./);
    expect((await cli("outbox", "--person", ana.username)).out).toContain("by hand by Kim");
    await bot.logged('"answered by hand"');
  });

  it("is a public reply to the person's post if the person wrote in public", async () => {
    const ben = await bot.stranger("Ben");
    const { id: post } = await bot.sandbox.control.act(ben.id, {
      type: "post",
      text: `@${bot.file.bot.username} are you open?`,
    });
    await decided(ben);

    const done = await cli("answer", ben.username, "Until ten.", "--json");

    const answer = JSON.parse(done.out);
    expect(answer, done.err).toMatchObject({
      done: true,
      changed: true,
      as: "reply_post",
      username: ben.username,
      status: "sent",
    });
    const [item] = await bot.ask("outbox", { seq: answer.seq });
    expect(item?.action).toMatchObject({ type: "reply_post", inReplyTo: post, text: "Until ten." });
    expect(await ben.answers(0)).toEqual([]);
  });

  it("answers the named event, also an earlier one", async () => {
    const cem = await waiting("Cem");
    await bot.sandbox.control.act(cem.id, {
      type: "post",
      text: `@${bot.file.bot.username} and here?`,
    });
    await when(async () => ((await entriesOf(cem)).length === 2 ? true : undefined));
    await decided(cem);
    const first = (await entriesOf(cem)).at(-1)?.seq ?? 0;

    const done = await cli("answer", `@${cem.username}`, "Here.", "--to", String(first));

    expect(done.out, done.err).toContain("in a direct message");
    expect(await cem.answers(1)).toEqual(["Here."]);
    const wrong = await cli("answer", "@ana", "Here.", "--to", String(first));
    expect(wrong.err).toContain(`event ${first} is not of @ana`);
    expect(wrong.code).toBe(2);
  });

  it("is sent once, however often a request with its key is repeated", async () => {
    const dea = await waiting("Dea");
    const key = randomUUID();

    const answers = await Promise.all([1, 2, 3].map(() => by("Once.", dea.username, { key })));
    const again = await by("Once more.", dea.id, { key });

    const changed = answers.filter((one) => one.done && one.changed);
    expect(changed).toHaveLength(1);
    expect(again).toMatchObject({ done: true, changed: false });
    await bot.quiet();
    expect(await dea.answers(1)).toEqual(["Once."]);
  });

  it("is sent during a hand-over, and does not end it", async () => {
    const eva = await waiting("Eva", "a human please");

    const done = await cli("answer", `@${eva.username}`, "I am one.", "--by", "Kim");
    expect(done.out, done.err).toContain("has answered");
    expect(done.err).toMatch(/stays silent .* answerback escalations resolve --config \S+ \d+/);
    expect(await eva.answers(1)).toEqual(["I am one."]);
    await eva.says("hello");
    await when(async () => ((await entriesOf(eva)).length >= 4 ? true : undefined));
    await decided(eva);
    expect(await eva.answers(1)).toEqual(["I am one."]);
    const open = await bot.ask("escalations", { person: eva.username, state: "open" });
    expect(open).toHaveLength(1);
    const { out } = await cli("escalations", "show", String(open[0]?.id));
    // The user id, because another person may have the handle by the time of the answer.
    expect(out).toContain(
      `answer by hand: answerback answer --config config/answerback.yaml ${eva.id} TEXT; when done:`,
    );
  });

  it("ignores limits of answers, quiet hours, and limits for equal texts", async () => {
    const fay = await waiting("Fay");
    for (const text of ["Yes.", "Yes.", "Yes."]) {
      expect(await by(text, fay.username)).toMatchObject({ done: true });
    }
    expect(await fay.answers(3)).toEqual(["Yes.", "Yes.", "Yes."]);
  });

  it("is refused for a person who has opted out", async () => {
    const gil = await waiting("Gil", "STOP");

    expect(await by("Please stay.", gil.username)).toEqual({
      done: false,
      reason: `@${gil.username} has opted out, and nothing is sent to them`,
      hint: 'they have to take it back themselves, by writing "START" (opt_out.back in the settings)',
    });
    expect((await entriesOf(gil)).map(({ kind }) => kind)).toEqual(["message"]);
  });

  it("is refused, with a hint", async () => {
    const hal = await waiting("Hal");
    const ida = await bot.stranger("Ida");
    await bot.sandbox.control.act(ida.id, {
      type: "post",
      text: `@${bot.file.bot.username} hm`,
    });
    await decided(ida);
    const handle = "7654321";
    const kim = await bot.sandbox.control.user(handle);
    await bot.sandbox.control.act(kim, { type: "dm", to: bot.file.bot.id, text: "hello" });
    await when(async () => ((await bot.messagesTo(kim)).length > 0 ? true : undefined));
    const REFUSED = [
      { why: "empty", person: hal.username, text: " \n", reason: "the text is empty" },
      {
        why: "too long a message",
        person: hal.username,
        text: "x".repeat(10_001),
        reason: "the text has 10001 characters (limit of a message 10000)",
      },
      {
        why: "too long a post",
        person: ida.username,
        text: "x".repeat(281),
        reason: "the post is 281 weighted characters (limit 280)",
      },
      {
        why: "nobody",
        person: "@nobody_at_all",
        text: "x",
        reason: "the bot has received nothing from @nobody_at_all that can be answered",
      },
      {
        why: "a user id that is the handle of another person",
        person: handle,
        text: "x",
        reason: "the bot has received nothing from 7654321 that can be answered",
      },
      {
        why: "another account",
        person: hal.username,
        text: "x",
        account: "other_bot",
        reason: "no account other_bot is linked",
      },
    ];
    for (const { why, person, text, reason, ...more } of REFUSED) {
      const refused = await by(text, person, more);
      expect(refused, why).toMatchObject({ done: false, reason, hint: expect.any(String) });
    }
    expect(await entriesOf(hal)).toHaveLength(1);
  });

  it("is refused if the account has blocked the person", async () => {
    const jon = await waiting("Jon");
    await bot.sandbox.control.act(bot.file.bot.id, { type: "block", user_id: jon.id });
    await when(async () => ((await entriesOf(jon)).length === 2 ? true : undefined));

    expect(await by("Hello?", jon.username)).toEqual({
      done: false,
      reason: `@${bot.file.bot.username} has blocked @${jon.username}`,
      hint: `unblock @${jon.username} on the platform first`,
    });
  });

  it("is refused while the account is paused", async () => {
    const lea = await waiting("Lea");
    await bot.ask("pause", {});
    const refused = await by("Hello?", lea.username);
    await bot.ask("resume", {});

    expect(refused).toEqual({
      done: false,
      reason: `@${bot.file.bot.username} is paused, and nothing is sent meanwhile`,
      hint: "go on first: answerback resume",
    });
  });
});
