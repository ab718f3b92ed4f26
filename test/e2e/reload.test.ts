import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const rules = (echo: string, later = "[{delay: 1m}, {reply_dm: {text: later}}]") => `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    conditions: [{text: {starts_with: "say "}}]
    actions: ${echo}
  - id: later
    triggers: [dm.received]
    conditions: [{text: later}]
    actions: ${later}
`;
const MINUTE = 60_000;

vi.setConfig({ testTimeout: 120_000 });

let bot: BotOnSandbox;
afterEach(() => bot.close());

const say = (text: string) =>
  bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
const save = (text: string) => writeFile(join(bot.folder, "config", "rules", "a.yaml"), text);
const answered = (text: string) =>
  when(async () => ((await bot.messagesTo("ana")).includes(text) ? true : undefined));

describe("a rule file that is saved while the bot runs", () => {
  it("decides from then on; a run goes on as it began; what is broken goes on as it was, over a restart", async () => {
    bot = await botOnSandbox({ rules: { "a.yaml": rules('[{reply_dm: "one"}]') } });
    const first = await bot.start();
    await say("say it");
    await answered("one");
    await say("later");
    await when(async () => ((await bot.status()).store.runs.waiting === 1 ? true : undefined));

    await save(rules('[{reply_dm: "two"}]', '[{delay: 1m}, {reply_dm: {text: "not this"}}]'));
    await when(async () =>
      (await bot.status()).rules.revision === first.rules.revision ? undefined : true,
    );
    await say("say it");
    await answered("two");
    expect(bot.log()).toMatch(/rules reloaded: changed .*; 1 run under way goes on as it began/);
    await bot.sandbox.control.advance(2 * MINUTE);
    await answered("later");

    await save(rules('[{reply_dn: "three"}]', '[{reply_dm: {text: "at once"}}]'));
    const broken = await when(async () => {
      const { rules: now } = await bot.status();
      return now.problems.length > 0 ? now : undefined;
    });
    expect(broken.count).toBe(2);
    expect(broken.problems).toEqual([expect.stringContaining("a.yaml:6:")]);
    await say("say it again");
    await say("later");
    await answered("at once");
    expect((await bot.messagesTo("ana")).filter((text) => text === "two")).toHaveLength(2);
    // nothing has changed: it is told once
    expect(await bot.ask("reload", {})).toMatchObject({ changed: false, count: 2, kept: ["echo"] });
    expect(bot.log().split("reply_dn").length - 1).toBeLessThanOrEqual(2);

    await bot.stop();
    const again = await bot.startProcess();
    expect(again.rules).toMatchObject({ count: 2, revision: broken.revision });
    await say("say it after a restart");
    await when(async () =>
      (await bot.messagesTo("ana")).filter((text) => text === "two").length === 3
        ? true
        : undefined,
    );

    await save(rules('[{reply_dm: "four"}]'));
    bot.signal("SIGHUP");
    await when(async () => ((await bot.status()).rules.problems.length === 0 ? true : undefined));
    await say("say it at last");
    await answered("four");
    expect(await bot.messagesTo("ana")).not.toContain("not this");
  });
});

describe("a bot module that is saved while the bot runs", () => {
  const module = (question: string, thanks: string, before = "") => `${before}
export default { name: "asker", on: { "dm.received": async (ctx) => {
  const answer = await ctx.ask("name", ${JSON.stringify(question)}, { timeout: "1h" });
  await ctx.reply(${JSON.stringify(thanks)} + answer.message.text);
} } };`;

  it("takes over conversations that wait; a broken one leaves the bot as it was", async () => {
    const folder = await mkdtemp(join(tmpdir(), "saved-bot-"));
    const file = join(folder, "asker.mjs");
    await writeFile(file, module("Who are you?", "Hello "));
    bot = await botOnSandbox({
      rules: { "a.yaml": rules("[{log: {message: hi}}]") },
      bots: [file],
    });
    await bot.start();
    await say("hi");
    await answered("Who are you?");

    await writeFile(file, module("Your name?", "Not this ", "half saved("));
    await when(async () => ((await bot.status()).botFaults.length > 0 ? true : undefined));
    expect((await bot.status()).bots.map(({ name }) => name)).toEqual(["asker"]);
    expect(await bot.ask("reload", {})).toMatchObject({
      bots: { count: 1, kept: ["asker"], problems: [expect.stringContaining("asker.mjs: ")] },
    });
    await writeFile(file, module("Your name?", "Welcome "));
    await when(async () => ((await bot.status()).botFaults.length === 0 ? true : undefined));
    await say("Ana");
    await answered("Welcome Ana");
    await say("hi again");
    await answered("Your name?");
    await rm(folder, { recursive: true });
  });
});
