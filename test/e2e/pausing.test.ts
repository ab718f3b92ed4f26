import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { run } from "../support/command-line.ts";
import { listening } from "../support/listening.ts";
import { when } from "../support/when.ts";

const ECHO = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    actions: [{reply_dm: {text: "re \${{ message.text }}"}}]
  - id: later
    triggers: [dm.typing]
    actions: [{delay: 1m}, {reply_dm: {text: "you were typing"}}]
`;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

// The test starts a bot several times, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let bot: BotOnSandbox;
afterEach(() => bot.close());

const say = (by: string, text: string) =>
  bot.sandbox.control.act(by, { type: "dm", to: bot.file.bot.id, text });
const journaled = (count: number) =>
  when(async () => ((await bot.status()).store.journal >= count ? true : undefined));

describe("a bot that is paused", () => {
  it("stores all events and answers them once when it is resumed, also after kill -9", async () => {
    bot = await botOnSandbox({ rules: { "echo.yaml": ECHO } });
    const { ana, ben } = bot.people;
    await bot.startProcess();
    await bot.sandbox.control.act(ana, { type: "typing", to: bot.file.bot.id });
    await when(async () => ((await bot.status()).store.runs.waiting === 1 ? true : undefined));

    expect(await bot.ask("pause", {})).toMatchObject({ done: true, changed: true });
    expect(await bot.ask("pause", {})).toMatchObject({ done: true, changed: false });
    await say(ana, "one");
    await say(ben, "two");
    // All deliveries are acknowledged, so none is sent again.
    await journaled(3);
    await bot.kill();
    const status = await bot.start();
    expect(status.paused).toEqual([{ since: expect.any(String) }]);
    await bot.sandbox.control.advance(2 * MINUTE);
    await say(ana, "three");
    await journaled(4);
    expect((await bot.status()).store).toMatchObject({ paused: 3, items: { sent: 0, pending: 0 } });

    expect(await bot.ask("resume", {})).toMatchObject({ done: true, changed: true, paused: [] });
    await when(async () => ((await bot.status()).store.items.sent === 4 ? true : undefined));
    expect(await bot.messagesTo("ana")).toEqual(
      expect.arrayContaining(["re one", "re three", "you were typing"]),
    );
    expect(await bot.messagesTo("ben")).toEqual(["re two"]);
    const { deliveries } = await bot.sandbox.control.get<{ deliveries: { attempt: number }[] }>(
      "/deliveries?after=0",
    );
    expect(deliveries.filter(({ attempt }) => attempt > 1)).toEqual([]);
  });

  it("for one account does not affect others, and does not answer events that became too old", async () => {
    bot = await botOnSandbox({ rules: { "echo.yaml": ECHO } });
    await bot.start();
    const account = "hello_bot";
    expect(await bot.ask("pause", { account: "nobody" })).toMatchObject({ done: false });
    await bot.ask("pause", { account: `@${account}` });
    await say(bot.people.ana, "early");
    await journaled(1);
    expect((await bot.status()).paused).toMatchObject([
      { account: bot.file.bot.id, username: account },
    ]);
    await bot.sandbox.control.advance(25 * HOUR);
    await say(bot.people.ana, "late");
    await journaled(2);

    await bot.ask("resume", { account });
    await bot.quiet();
    await when(async () => ((await bot.messagesTo("ana")).length > 0 ? true : undefined));
    expect(await bot.messagesTo("ana")).toEqual(["re late"]);
    const early = (await bot.journal()).find(({ body }) => body.includes('"early"'));
    const { out } = await run(bot.folder, "why", String(early?.seq));
    expect(out).toContain("old");
  });
});

const ruleAt = (origin: string) => `version: 1
rules:
  - id: order
    triggers: [dm.received]
    actions:
      - http: {method: POST, url: "${origin}/rule/a/\${{ message.text }}"}
      - http: {method: POST, url: "${origin}/rule/b/\${{ message.text }}"}
      - reply_dm: {text: "rule \${{ message.text }}"}
`;
const botAt = (
  origin: string,
) => `export default { name: "asker", on: { "dm.received": async (ctx) => {
  await ctx.step("call", async () => void (await fetch("${origin}/bot/" + ctx.text)));
const { data } = await ctx.client.users.get(ctx.sender.id);
  await ctx.reply(data.username + " " + ctx.text);
} } };`;
const TEXTS = ["1", "2", "3"];

describe("work under way at the beginning of a pause", () => {
  it.each([
    { what: "of all accounts", ofAccount: false, isRestarted: false },
    { what: "of one account, with a restart of the process", ofAccount: true, isRestarted: true },
  ])("finishes, and the rest is done after the pause $what", async (pause) => {
    const requests: string[] = [];
    const open: ServerResponse[] = [];
    const folder = await mkdtemp(join(tmpdir(), "pausing-"));
    await listening(
      ({ url = "" }, response) => {
        requests.push(url);
        if (requests.length > 2) response.end();
        else open.push(response);
      },
      async (origin) => {
        const file = join(folder, "asker.mjs");
        await writeFile(file, botAt(origin));
        const settings = `http: {allow: ["${origin.slice("http://".length)}"]}`;
        bot = await botOnSandbox({ rules: { "a.yaml": ruleAt(origin) }, bots: [file], settings });
        await bot.start();
        for (const text of TEXTS) await say(bot.people.ana, text);
        await when(async () => ((await bot.status()).store.runs.ready === 6 ? true : undefined));
        await when(() => (open.length === 2 ? true : undefined));
        const which = pause.ofAccount ? { account: bot.file.bot.id } : {};
        expect(await bot.ask("pause", which)).toMatchObject({ changed: true });
        for (const response of open) response.end();
        await bot.logged("a step is repeated after its account's pause");
        if (pause.isRestarted) {
          await bot.stop();
          await bot.start();
        }
        expect((await bot.status()).store.runs).toMatchObject({ ready: 6 });
        expect(requests.toSorted()).toEqual(["/bot/1", "/rule/a/1"]);
        expect(await bot.messagesTo("ana")).toEqual([]);

        expect(await bot.ask("resume", which)).toMatchObject({ changed: true });
        await when(async () => ((await bot.status()).store.items.sent === 6 ? true : undefined));
        const answers = TEXTS.flatMap((text) => [`ana ${text}`, `rule ${text}`]);
        expect((await bot.messagesTo("ana")).toSorted()).toEqual(answers.toSorted());
        expect(requests.toSorted()).toEqual(
          TEXTS.flatMap((text) => [
            `/bot/${text}`,
            `/rule/a/${text}`,
            `/rule/b/${text}`,
          ]).toSorted(),
        );
      },
    );
    await rm(folder, { recursive: true });
  });
});

describe("the erasure of a person", () => {
  it("calls no bot with erased messages that waited for an earlier one", async () => {
    const requests: string[] = [];
    const open: ServerResponse[] = [];
    const folder = await mkdtemp(join(tmpdir(), "erasing-"));
    await listening(
      ({ url = "" }, response) => {
        requests.push(url);
        open.push(response);
      },
      async (origin) => {
        const file = join(folder, "asker.mjs");
        await writeFile(file, botAt(origin));
        bot = await botOnSandbox({ rules: {}, bots: [file] });
        await bot.start();
        for (const text of TEXTS) await say(bot.people.ben, text);
        await when(async () => ((await bot.status()).store.runs.ready === 3 ? true : undefined));
        await when(() => (open.length === 1 ? true : undefined));
        expect(await bot.ask("forget", { person: "ben" })).toMatchObject({ entries: 3 });
        for (const response of open) response.end();
        await bot.quiet();

        await say(bot.people.ana, "4");
        await when(() => (open.length === 2 ? true : undefined));
        open[1]?.end();
        await when(async () => ((await bot.messagesTo("ana")).length > 0 ? true : undefined));
        expect(requests).toEqual(["/bot/1", "/bot/4"]);
        expect(bot.log()).not.toContain("a decision was not stored");
      },
    );
    await rm(folder, { recursive: true });
  });
});

describe("the limit of answers to one person", () => {
  it("applies after kill -9 in the middle of a flood", async () => {
    bot = await botOnSandbox({ rules: { "echo.yaml": ECHO } });
    const { ana, ben } = bot.people;
    await bot.startProcess();
    for (let n = 1; n <= 20; n += 1) await say(ana, `m${n}`);
    await journaled(15);
    await bot.kill();
    await bot.start();
    for (let n = 21; n <= 40; n += 1) await say(ana, `m${n}`);
    await say(ben, "hello");
    // The bot looks up items that it was sending when killed, once the platform certainly shows sent messages.
    await when(async () => {
      const { items } = (await bot.status()).store;
      if (items.sent + items.held >= 41) return true;
      await bot.sandbox.control.advance(5_000);
      return undefined;
    });

    expect((await bot.status()).store.items).toMatchObject({ sent: 31, held: 10, unknown: 0 });
    const texts = await bot.messagesTo("ana");
    expect(texts).toHaveLength(30);
    expect(new Set(texts).size).toBe(30);
    await when(() => (bot.log().includes("are held back") ? true : undefined));
    expect((await bot.status()).held).toMatchObject([{ username: "ana", items: 10 }]);
  });
});
