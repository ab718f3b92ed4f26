import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../support/command-line.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
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
`;

describe("a hand-over to a person", () => {
  let bot: BotOnSandbox;
  beforeAll(async () => {
    bot = await botOnSandbox({ rules: { "human.yaml": RULES } });
    await bot.startProcess();
  });
  afterAll(() => bot.close());

  const tell = (text: string) =>
    bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
  const answersTo = (name: string, count: number) =>
    when(async () => {
      const texts = await bot.messagesTo(name);
      return texts.length >= count ? texts : undefined;
    });
  const answers = (count: number) => answersTo("ana", count);
  const cli = (...args: readonly string[]) =>
    run(bot.folder, ...args, "--config", "config/answerback.yaml");
  const decided = (count: number) =>
    when(async () => {
      const rows = await bot.journal();
      const own = rows.filter(({ body }) => body.includes("hello again"));
      return own.length >= count && own.every(({ state }) => state === "done") ? own : undefined;
    });

  it("is listed, counted and told, and silences the bot over kill -9 until it is resolved", async () => {
    await tell("a human please");
    expect(await answers(1)).toEqual(["A person takes over."]);
    await bot.kill();
    const stopped = await cli("escalations");
    await bot.startProcess();
    await tell("hello again");
    const [silent] = await decided(1);

    expect(stopped.out).toMatch(/support +high +@ana +for the person, until resolved/);
    expect(JSON.parse(silent?.decision ?? "")).toMatchObject({ ran: [], paused: "escalation 1" });
    expect((await cli("why", String(silent?.seq))).out).toContain(
      "hello did not run: the bot is silent here by escalation 1, and the rule does not say interrupts: true",
    );
    expect((await cli("status")).out).toContain("1 open: 1 support; see: answerback escalations");
    const shown = await cli("escalations", "show", "1");
    expect(shown.out).toMatch(/note +Ana wrote: a human please/);
    expect(await answers(1)).toEqual(["A person takes over."]);

    const resolved = await cli("escalations", "resolve", "1");
    expect(resolved.out, resolved.err).toBe("Resolved; rules and bots answer again.\n");
    await tell("hello again");
    expect((await answers(2)).at(-1)).toBe("Hello!");
    expect((await cli("escalations")).err).toContain("Nothing is left to take over.");
    expect((await cli("escalations", "resolve", "7")).code).toBe(2);
    expect(bot.log()).toContain("escalation resolved");
  });

  it("that has a time is ended by resolving it, by number and by person, over kill -9 too", async () => {
    const says = (text: string) =>
      bot.sandbox.control.act(bot.people.ben, { type: "dm", to: bot.file.bot.id, text });
    const known = await answersTo("ben", 0);
    const newest = async (count: number) => (await answersTo("ben", known.length + count)).at(-1);
    const ofBen = async (...more: readonly string[]) =>
      (await cli("escalations", "list", "--person", "@ben", "--json", ...more)).out
        .split("\n")
        .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    for (const count of [1, 2]) {
      await says("please call me");
      expect(await newest(count)).toBe("We call you.");
    }
    await says("hello again");
    await decided(3);
    const [second, first] = await ofBen();
    expect((await cli("escalations", "list", "--person", "ben")).out).toMatch(
      /phone +normal +@ben +for the person, until \S+Z or resolved/,
    );
    const entry = (await bot.journal()).find(({ body }) => body.includes("hello again"));
    expect((await cli("why", String(entry?.seq))).err).toContain(
      `It is with a person. Let rules and bots answer again with: answerback escalations resolve ${second.id}`,
    );

    const one = await cli("escalations", "resolve", String(first.id));
    expect(one.out, one.err).toBe(
      `Resolved; rules and bots are still silent by escalation ${second.id}; when that is done: answerback escalations resolve ${second.id}\n`,
    );
    await says("hello again");
    await decided(4);
    expect(await newest(2)).toBe("We call you.");

    const other = await cli("escalations", "resolve", "--person", "@BEN");
    expect(other.out, other.err).toBe("Resolved; rules and bots answer again.\n");
    expect(other.err).toContain("What people wrote during the silence stays unanswered.");
    await bot.kill();
    await bot.start();
    await says("hello again");
    expect(await newest(3)).toBe("Hello!");
    expect((await cli("why", String(entry?.seq))).err).toMatch(
      /A person said that it is done at \S+Z; what was written before stays unanswered\./,
    );

    expect((await cli("escalations", "resolve", String(second.id))).out).toMatch(
      /^It was resolved already, at \S+Z\.\n$/,
    );
    expect((await cli("escalations", "resolve", "--person", "ben")).out).toBe(
      "Nothing is left to take over for ben.\n",
    );
    expect(await ofBen()).toEqual([]);
    expect((await ofBen("--all")).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await cli("escalations", "resolve")).code).toBe(2);
    expect((await cli("escalations", "resolve", "1", "--person", "ben")).code).toBe(2);
  });
});
