import { cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotFiles, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const HELLO: BotFiles = {
  shared: false,
  rules: {
    "hello.yaml": `version: 1
rules:
  - id: hello
    triggers: [dm.received]
    actions: [{reply_dm: {text: "Hello, \${{ sender.name }}: \${{ message.text }}"}}]
`,
  },
};

let bot: BotOnSandbox;
afterEach(() => bot.close());

const write = (person: "ana" | "ben", text: string): Promise<unknown> =>
  bot.sandbox.control.act(bot.people[person], { type: "dm", to: bot.file.bot.id, text });

const answered = (person: string, count: number): Promise<true> =>
  when(async () => ((await bot.messagesTo(person)).length >= count ? true : undefined));

const data = (): string => join(bot.folder, "data");
const copy = (): string => join(bot.folder, "copy");

/** Copies the data folder, then lets the bot send answers that the copy does not contain. */
async function answerAfterCopy(files: BotFiles = {}): Promise<void> {
  bot = await botOnSandbox({ ...HELLO, ...files });
  await bot.start();
  await write("ana", "one");
  await answered("ana", 1);
  await bot.stop();
  await cp(data(), copy(), { recursive: true });
  await bot.startProcess();
  await write("ana", "two");
  await write("ben", "three");
  await answered("ana", 2);
  await answered("ben", 1);
  await bot.kill();
  await write("ben", "four");
}

/**
 * Starts the bot, and waits until it has no open work. Advances the sandbox's clock past each time that the bot waits
 * for.
 */
async function settle(): Promise<void> {
  await bot.start();
  await when(async () => {
    await bot.sandbox.control.advance(20_000);
    const { items } = (await bot.status()).store;
    return items.sent >= 4 && items.unknown === 0 ? true : undefined;
  });
}

/** Writes the content of the copy into the existing files, which thus keep their inodes. */
async function writeOver(): Promise<void> {
  await rm(join(data(), "store.db-wal"), { force: true });
  for (const name of await readdir(copy())) {
    await writeFile(join(data(), name), await readFile(join(copy(), name)));
  }
}

const messages = async () => ({
  ana: await bot.messagesTo("ana"),
  ben: await bot.messagesTo("ben"),
});
const ONE_ANSWER_EACH = {
  ana: ["Hello, Ana: one", "Hello, Ana: two"],
  ben: ["Hello, Ben: three", "Hello, Ben: four"],
};

describe("a data folder that was restored from a file copy", () => {
  it("repeats no answer that was sent after the copy", async () => {
    await answerAfterCopy();
    await rm(data(), { recursive: true });
    await rename(copy(), data());

    await settle();

    expect(await messages()).toEqual(ONE_ANSWER_EACH);
    await bot.logged("the store is older than its last run on this machine");
  });

  it("repeats none if the files were overwritten, so that they have the same inodes", async () => {
    await answerAfterCopy();
    await writeOver();

    await settle();

    expect(await messages()).toEqual(ONE_ANSWER_EACH);
  });

  it("repeats none on a machine that has no record of it", async () => {
    await answerAfterCopy();
    await rm(data(), { recursive: true });
    await rename(copy(), data());
    await rm(join(bot.folder, "state"), { recursive: true });

    await settle();

    expect(await messages()).toEqual(ONE_ANSWER_EACH);
    await bot.logged("the store's file is not the one of its last run");
  });

  it("repeats none if only the platform shows that it is older", async () => {
    await answerAfterCopy();
    await writeOver();
    await rm(join(bot.folder, "state"), { recursive: true });

    await settle();

    expect(await messages()).toEqual(ONE_ANSWER_EACH);
    await bot.logged("that the store does not have");
  });

  it("does not send an answer that was waiting at the time of the copy, and was sent since", async () => {
    bot = await botOnSandbox(HELLO);
    await bot.start();
    const { control } = bot.sandbox;
    const sends = { direction: "request", method: "POST", path: "/2/dm_conversations/*" } as const;
    await control.addFault({
      match: sends,
      fault: { type: "status", status: 503 },
      when: { always: true },
    });
    await write("ana", "one");
    await when(async () => ((await bot.items("pending")).length > 0 ? true : undefined));
    await bot.stop();
    await cp(data(), copy(), { recursive: true });
    await control.clearFaults();
    await bot.startProcess();
    await when(async () => {
      await control.advance(60_000);
      return (await bot.messagesTo("ana")).length > 0 ? true : undefined;
    });
    await bot.kill();
    await writeOver();
    await rm(join(bot.folder, "state"), { recursive: true });

    await bot.start();
    await when(async () => {
      await control.advance(60_000);
      const { items } = (await bot.status()).store;
      return items.pending + items.sending + items.unknown === 0 ? true : undefined;
    });

    expect(await bot.messagesTo("ana")).toEqual(["Hello, Ana: one"]);
  });

  it("repeats none if the folder of the records can't be written", async () => {
    await answerAfterCopy({ env: { XDG_STATE_HOME: "/dev/null" } });
    await rm(data(), { recursive: true });
    await rename(copy(), data());

    await settle();

    expect(await messages()).toEqual(ONE_ANSWER_EACH);
  });
});

describe("a data folder that was not copied", () => {
  it("answers at once after a restart, without look-ups", async () => {
    bot = await botOnSandbox(HELLO);
    await bot.startProcess();
    await write("ana", "one");
    await answered("ana", 1);
    await bot.kill();
    await write("ana", "two");

    await bot.start();

    await answered("ana", 2);
    expect(bot.log()).not.toContain("the store is older");
    expect(bot.log()).not.toContain("not the one of its last run");
  });

  it("answers at once if its record on this machine is damaged", async () => {
    bot = await botOnSandbox(HELLO);
    await bot.start();
    await write("ana", "one");
    await answered("ana", 1);
    await bot.stop();
    const stores = join(bot.folder, "state", "answerback", "stores");
    for (const file of await readdir(stores)) await writeFile(join(stores, file), "{");
    await write("ana", "two");

    await bot.start();

    await answered("ana", 2);
    expect(bot.log()).not.toContain("the store is older");
  });

  it("looks up open answers, and then answers, after a move to another disk", async () => {
    bot = await botOnSandbox(HELLO);
    await bot.start();
    await write("ana", "one");
    await answered("ana", 1);
    await bot.stop();
    await write("ana", "two");
    await cp(data(), copy(), { recursive: true });
    await rm(data(), { recursive: true });
    await rename(copy(), data());

    await bot.start();
    await when(async () => {
      await bot.sandbox.control.advance(20_000);
      return (await bot.messagesTo("ana")).length === 2 ? true : undefined;
    });

    expect(await bot.messagesTo("ana")).toEqual(["Hello, Ana: one", "Hello, Ana: two"]);
    expect((await bot.status()).paused).toEqual([]);
  });
});
