import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../support/command-line.ts";
import { botOnSandbox, type BotOnSandbox, type Stranger } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: hello
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hello}}]
    actions: [{reply: Hello!}]
  - id: human
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: human}}]
    actions:
      - escalate:
          queue: support
          priority: high
          note: "\${{ sender.name }} wrote: \${{ message.text }}"
          pause_bot: {until: resolved}
      - reply: A person takes over.
  - id: call
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: call}}]
    actions:
      - escalate: {queue: phone, pause_bot: {for: 2h}}
      - reply: We call you.
  - id: storm
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: storm}}]
    actions:
      - escalate: {queue: storm, pause_bot: {per: account, for: 2h}}
      - reply: We look at it.
`;

describe("a hand-over to a person", () => {
  let bot: BotOnSandbox;
  beforeAll(async () => {
    bot = await botOnSandbox({ rules: { "human.yaml": RULES } });
    await bot.startProcess();
  });
  afterAll(() => bot.close());

  const cli = (...args: readonly string[]) =>
    run(bot.folder, ...args, "--config", "config/answerback.yaml");
  const greetingsOf = async ({ id }: Stranger) =>
    (await bot.journal()).filter(
      ({ body }) => body.includes("hello again") && body.includes(`"sender_id":"${id}"`),
    );
  const decided = (person: Stranger, count: number) =>
    when(async () => {
      const own = await greetingsOf(person);
      return own.length >= count && own.every(({ state }) => state === "done") ? own : undefined;
    });

  it("is listed, counted and logged, and silences the bot over kill -9 until it is resolved", async () => {
    const ana = await bot.stranger("Ana");
    await ana.says("a human please");
    expect(await ana.answers(1)).toEqual(["A person takes over."]);
    await bot.kill();
    const stopped = await cli("escalations", "list", "--json");
    const { id } = JSON.parse(stopped.out);
    await bot.startProcess();
    await ana.says("hello again");
    const [silent] = await decided(ana, 1);

    expect((await cli("escalations")).out).toMatch(
      new RegExp(`support +high +@${ana.username} +for the person, until resolved`),
    );
    expect(JSON.parse(silent?.decision ?? "")).toMatchObject({
      ran: [],
      paused: `escalation ${id}`,
    });
    expect((await cli("why", String(silent?.seq))).out).toContain(
      `hello did not run: the bot is silent here by escalation ${id}, and the rule does not say interrupts: true`,
    );
    expect((await cli("status")).out).toContain("1 open: 1 support; see: answerback escalations");
    const shown = await cli("escalations", "show", String(id));
    expect(shown.out).toMatch(/note +Ana wrote: a human please/);
    expect(await ana.answers(1)).toEqual(["A person takes over."]);

    const resolved = await cli("escalations", "resolve", String(id));
    expect(resolved.out, resolved.err).toBe("Resolved; rules and bots answer again.\n");
    await ana.says("hello again");
    expect((await ana.answers(2)).at(-1)).toBe("Hello!");
    expect((await cli("escalations")).err).toContain("Nothing is left to take over.");
    expect((await cli("escalations", "resolve", "700")).code).toBe(2);
    await bot.logged("escalation resolved");
  });

  it("with a time limit ends by resolving it, by number and by person, also after kill -9", async () => {
    const ben = await bot.stranger("Ben");
    const newest = async (count: number) => (await ben.answers(count)).at(-1);
    const ofBen = async (...more: readonly string[]) =>
      (await cli("escalations", "list", "--person", `@${ben.username}`, "--json", ...more)).out
        .split("\n")
        .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    for (const count of [1, 2]) {
      await ben.says("please call me");
      expect(await newest(count)).toBe("We call you.");
    }
    await ben.says("hello again");
    await decided(ben, 1);
    const [second, first] = await ofBen();
    expect((await cli("escalations", "list", "--person", ben.username)).out).toMatch(
      new RegExp(`phone +normal +@${ben.username} +for the person, until \\S+Z or resolved`),
    );
    const [entry] = await greetingsOf(ben);
    expect((await cli("why", String(entry?.seq))).err).toContain(
      `A person has taken over. Let rules and bots answer again with: answerback escalations resolve --config config/answerback.yaml ${second.id}`,
    );

    const one = await cli("escalations", "resolve", String(first.id));
    expect(one.out, one.err).toBe(
      `Resolved; rules and bots are still silent by escalation ${second.id}; when that is done: answerback escalations resolve --config config/answerback.yaml ${second.id}\n`,
    );
    await ben.says("hello again");
    await decided(ben, 2);
    expect(await newest(2)).toBe("We call you.");

    const other = await cli("escalations", "resolve", "--person", `@${ben.username.toUpperCase()}`);
    expect(other.out, other.err).toBe("Resolved; rules and bots answer again.\n");
    expect(other.err).toContain("Messages from the time of the hand-over stay unanswered.");
    await bot.kill();
    await bot.startProcess();
    await ben.says("hello again");
    expect(await newest(3)).toBe("Hello!");
    expect((await cli("why", String(entry?.seq))).err).toMatch(
      /The hand-over was resolved at \S+Z; earlier messages stay unanswered\./,
    );

    expect((await cli("escalations", "resolve", String(second.id))).out).toMatch(
      /^It was resolved already, at \S+Z\.\n$/,
    );
    expect((await cli("escalations", "resolve", "--person", ben.username)).out).toBe(
      `${ben.username} has no open hand-over.\n`,
    );
    expect(await ofBen()).toEqual([]);
    expect((await ofBen("--all")).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await cli("escalations", "resolve")).code).toBe(2);
    expect(
      (await cli("escalations", "resolve", String(first.id), "--person", ben.username)).code,
    ).toBe(2);
  });

  it("for everybody is shown by status and by resume, with its command, until it is resolved", async () => {
    const dana = await bot.stranger("Dana");
    await dana.says("a storm");
    expect(await dana.answers(1)).toEqual(["We look at it."]);
    const [row] = (await cli("escalations", "list", "--queue", "storm", "--json")).out.split("\n");
    const { id } = JSON.parse(row ?? "");
    const line = new RegExp(
      `^silent +@hello_bot, for everybody until \\S+Z, by escalation ${id}; answerback escalations resolve --config \\S+ ${id}$`,
      "m",
    );
    const byPerson = ["resume", "--person", `@${dana.username}`];

    expect((await cli("status")).out).toMatch(line);
    expect(JSON.parse((await cli("status", "--json")).out).silenced).toMatchObject([
      { username: "hello_bot", escalation: id, until: expect.stringMatching(/Z$/) },
    ]);
    const resumed = await cli(...byPerson);
    expect(resumed.out).toContain(`Nothing is held back for ${dana.username}.\n`);
    expect(resumed.out).toMatch(line);
    expect((await cli("resume")).out).toMatch(line);
    await cli("escalations", "resolve", String(id));

    expect((await cli("status")).out).not.toContain("for everybody");
    expect((await cli(...byPerson)).out).toBe(`Nothing is held back for ${dana.username}.\n`);
  });

  it("ends by resume --person, and why and journal accept the handle", async () => {
    const eva = await bot.stranger("Eva");
    await eva.says("a human please");
    await eva.answers(1);
    await eva.says("hello again");
    await decided(eva, 1);
    const silent = await cli("why", `@${eva.username}`);
    const id = /escalation (\d+)/.exec(silent.out)?.[1];
    expect(silent.out).toContain(
      `the bot is silent here by escalation ${id}, until a person has resolved it; let the bot answer again: answerback escalations resolve --config config/answerback.yaml ${id}`,
    );

    const resumed = await cli("resume", "--person", `@${eva.username}`);

    expect(resumed.out, resumed.err).toBe(
      `The bot answers ${eva.username} again: escalation ${id} is resolved.\n`,
    );
    await eva.says("hello again");
    expect((await eva.answers(2)).at(-1)).toBe("Hello!");
    expect((await cli("why", `@${eva.username}`)).out).toContain("answered by rule hello: message");
    const journal = await cli("journal", "--person", eva.username, "--json");
    const rows = journal.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(new Set(rows.map(({ lane }) => lane.split("/")[1]))).toEqual(new Set([eva.id]));
    const outbox = await cli("outbox", "--person", `@${eva.username}`, "--json");
    expect(outbox.out.trim().split("\n")).toHaveLength(2);
    expect((await cli("why", "@nobody_at_all")).err).toContain(
      "the bot has received nothing from @nobody_at_all",
    );
    expect((await cli("resume", "--person", eva.username)).out).toBe(
      `Nothing is held back for ${eva.username}.\n`,
    );
  });
});
