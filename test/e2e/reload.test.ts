import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
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
    await bot.logged(/rules reloaded: changed .*; 1 run under way goes on as it began/);
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
    // a second reload of unchanged files does not log the error again
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

describe("a file outside the project that a rule names while the bot runs", () => {
  const TEXT = "outside-4711: [";
  const use = (file: string) => `version: 1
use: [{file: ${file}, as: x}]
rules: [{id: two, triggers: [dm.received], actions: [{reply_dm: two}]}]
`;

  it.each([
    {
      what: "a rule file becomes a link to it",
      change: (inRules: string, outside: string) => link(inRules, outside),
    },
    {
      what: "a new rule file is a link to it",
      change: (inRules: string, outside: string) => symlink(outside, join(inRules, "b.yaml")),
    },
    {
      what: "a rule file uses it",
      change: (inRules: string, outside: string) =>
        writeFile(join(inRules, "b.yaml"), use(outside)),
    },
    {
      what: "a rule file uses a link to it",
      change: async (inRules: string, outside: string) => {
        await mkdir(join(inRules, "shared"));
        await symlink(outside, join(inRules, "shared", "c.yaml"));
        await writeFile(join(inRules, "b.yaml"), use("./shared/c.yaml"));
      },
    },
  ])("is not shown by the reload: $what", async ({ change }) => {
    const outside = join(await mkdtemp(join(tmpdir(), "outside-")), "outside.yaml");
    await writeFile(outside, TEXT);
    bot = await botOnSandbox({ rules: { "a.yaml": rules('[{reply_dm: "one"}]') } });
    await bot.start();

    await change(join(bot.folder, "config", "rules"), outside);
    const outcome = await bot.ask("reload", {}).catch((error: unknown) => String(error));
    const shown = JSON.stringify([outcome, await bot.status(), bot.log()]);

    expect(shown).toMatch(/outside the project|is not in the project/);
    expect(shown).not.toContain("outside-4711");
    await say("say it");
    await answered("one");
    await rm(join(outside, ".."), { recursive: true });
  });

  it("is logged after SIGHUP, and the bot goes on", async () => {
    bot = await botOnSandbox({ rules: { "a.yaml": rules('[{reply_dm: "one"}]') } });
    await bot.startProcess();
    const outside = join(await mkdtemp(join(tmpdir(), "outside-")), "outside.yaml");
    await writeFile(outside, TEXT);
    await symlink(outside, join(bot.folder, "config", "rules", "b.yaml"));

    bot.signal("SIGHUP");
    await when(() => (bot.log().includes("The files could not be reloaded: ") ? true : undefined));

    await say("say it");
    await answered("one");
    expect((await bot.status()).rules.count).toBe(2);
    await rm(join(outside, ".."), { recursive: true });
  });

  async function link(inRules: string, outside: string): Promise<void> {
    await rename(join(inRules, "a.yaml"), join(inRules, "..", "a.yaml"));
    await symlink(outside, join(inRules, "a.yaml"));
  }
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
