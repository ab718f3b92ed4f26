import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { botOnSandbox, type BotFiles, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { run } from "../support/command-line.ts";
import { when } from "../support/when.ts";

const RULES = {
  "hello.yaml": `version: 1
rules:
  - id: hello
    triggers: [dm.received]
    actions: [{reply_dm: {text: "Hello, \${{ sender.name }}: \${{ message.text }}"}}]
`,
};

let first: BotOnSandbox;
let second: BotOnSandbox;
afterEach(async () => {
  await second.close();
  await first.close();
});

/** Creates two bots for one app and account. Each has its own store. The first bot is started. */
async function two(files: Partial<BotFiles> = {}): Promise<void> {
  first = await botOnSandbox({ rules: RULES, shared: false });
  second = await botOnSandbox({ rules: RULES, shared: false, beside: first, ...files });
  await first.startProcess();
}

const write = (person: "ana" | "ben", text: string): Promise<unknown> =>
  first.sandbox.control.act(first.people[person], { type: "dm", to: first.file.bot.id, text });

const TEXTS = ["one", "two", "three", "four", "five", "six"];
const ANSWERS = TEXTS.map((text) => `Hello, Ana: ${text}`);

async function writeSix(): Promise<void> {
  for (const text of TEXTS) await write("ana", text);
}

/**
 * Waits until both bots have the six messages and their answers in their journals, and the first bot has nothing left
 * to send.
 */
async function bothHaveAll(): Promise<void> {
  for (const bot of [first, second]) {
    await when(async () => {
      const messages = (await bot.journal()).filter(({ kind }) => kind === "message");
      return messages.length >= 2 * TEXTS.length ? true : undefined;
    });
  }
  await first.quiet();
}

const othersOf = async (bot: BotOnSandbox) => (await bot.status()).otherInstances ?? [];

const noticed = (bot: BotOnSandbox) =>
  when(async () => ((await othersOf(bot)).length > 0 ? othersOf(bot) : undefined));

it("two instances on one machine answer six messages six times, and both report the other", async () => {
  await two();
  second = await besideOnOneMachine();
  await second.start();
  await writeSix();
  await bothHaveAll();

  expect(await first.messagesTo("ana")).toEqual(ANSWERS);
  const onThisMachine = { reason: expect.stringContaining("runs on this machine") };
  expect(await noticed(second)).toContainEqual(
    expect.objectContaining({ holdsBack: true, username: "hello_bot", ...onThisMachine }),
  );
  await when(async () => (await othersOf(first)).find(({ reason }) => reason.includes("machine")));
  for (const bot of [first, second]) {
    await bot.logged("another instance answers for @hello_bot");
    const { out } = await command(bot, "status");
    expect(out).toContain("another instance answers for @hello_bot");
  }
});

it("two instances on two machines answer six messages six times, and both report the other", async () => {
  await two();
  await second.start();
  await writeSix();
  await bothHaveAll();

  expect(await first.messagesTo("ana")).toEqual(ANSWERS);
  expect(await noticed(second)).toMatchObject([{ holdsBack: true, username: "hello_bot" }]);
  expect((await second.status()).paused).toMatchObject([{ username: "hello_bot" }]);
  await first.sandbox.control.advance(1_000);
  expect(await noticed(first)).toMatchObject([{ holdsBack: false, username: "hello_bot" }]);
  for (const bot of [first, second]) {
    await bot.logged("another instance answers for @hello_bot");
  }
});

it("the second one answers what the first one has not, once it is resumed", async () => {
  await two();
  await second.start();
  await writeSix();
  await bothHaveAll();
  await first.kill();
  await write("ben", "seven");
  await when(async () => ((await second.journal()).length >= 13 ? true : undefined));

  expect((await command(second, "resume")).code).toBe(0);
  await when(async () => {
    await first.sandbox.control.advance(20_000);
    const { inbox, items } = (await second.status()).store;
    return inbox + items.pending + items.sending + items.unknown === 0 && items.sent >= 7
      ? true
      : undefined;
  });

  expect(await first.messagesTo("ana")).toEqual(ANSWERS);
  expect(await first.messagesTo("ben")).toEqual(["Hello, Ben: seven"]);
  expect(await othersOf(second)).toEqual([]);
});

it("an instance that shows by its messages alone holds back once its answer came second", async () => {
  await two();
  await second.close();
  second = await botOnSandbox({
    rules: RULES,
    shared: false,
    beside: first,
    settings: "source: polling\n",
  });
  await second.start();
  await write("ana", "one");
  const both = await when(async () => {
    await first.sandbox.control.advance(60_000);
    const others = [...(await othersOf(first)), ...(await othersOf(second))];
    return others.some(({ holdsBack }) => holdsBack) && others.length >= 2 ? others : undefined;
  });
  const before = (await first.messagesTo("ana")).length;
  for (const text of TEXTS.slice(1)) await write("ana", text);
  await when(async () => {
    await first.sandbox.control.advance(60_000);
    return (await first.messagesTo("ana")).length >= before + 5 ? true : undefined;
  });

  expect(both).toContainEqual(expect.objectContaining({ holdsBack: true }));
  expect(both).toContainEqual(expect.objectContaining({ holdsBack: false }));
  expect((await first.messagesTo("ana")).slice(before)).toEqual(ANSWERS.slice(1));
});

it("a webhook that nobody serves any more holds nothing back", async () => {
  await two();
  await first.kill();
  await second.start();
  await write("ana", "one");

  await when(async () => ((await second.messagesTo("ana")).length > 0 ? true : undefined));
  expect(await second.messagesTo("ana")).toEqual(["Hello, Ana: one"]);
  expect(await othersOf(second)).toEqual([]);
});

/**
 * Replaces the second bot by one that uses the same state folder of the machine (`XDG_STATE_HOME`) as the first bot.
 */
async function besideOnOneMachine(): Promise<BotOnSandbox> {
  await second.close();
  return botOnSandbox({
    rules: RULES,
    shared: false,
    beside: first,
    env: { XDG_STATE_HOME: join(first.folder, "state") },
  });
}

function command({ folder }: BotOnSandbox, ...args: readonly string[]) {
  return run(folder, ...args, "--config", join(folder, "config", "answerback.yaml"));
}
