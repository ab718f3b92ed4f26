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
`;

describe("a hand-over to a person", () => {
  let bot: BotOnSandbox;
  beforeAll(async () => {
    bot = await botOnSandbox({ rules: { "human.yaml": RULES } });
    await bot.start();
  });
  afterAll(() => bot.close());

  const tell = (text: string) =>
    bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
  const answers = (count: number) =>
    when(async () => {
      const texts = await bot.messagesTo("ana");
      return texts.length >= count ? texts : undefined;
    });
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
    await bot.start();
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
});
