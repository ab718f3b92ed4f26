import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const HELLO = {
  "hello.yaml": `version: 1
rules:
  - id: hello
    triggers: [dm.received]
    actions: [{reply_dm: {text: "Hello, \${{ sender.name }}."}}]
`,
};

let bot: BotOnSandbox;
afterEach(() => bot.close());

const write = (text: string): Promise<unknown> =>
  bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });

const answers = (count: number): Promise<true> =>
  when(async () => ((await bot.messagesTo("ana")).length >= count ? true : undefined));

async function answeredOnce(): Promise<string> {
  bot = await botOnSandbox({ rules: HELLO });
  await bot.start();
  await write("one");
  await answers(1);
  return join(bot.folder, "data");
}

/** Returns the last line of the log. */
const lastLine = (): unknown => JSON.parse(bot.log().trim().split("\n").at(-1) ?? "");

describe("a running bot ends with code 74, explains what to do and sends nothing more", () => {
  it.each([
    { what: "the data folder is deleted", change: (data: string) => rm(data, { recursive: true }) },
    {
      what: "the data folder is renamed",
      change: (data: string) => rename(data, `${data}.renamed`),
    },
    {
      what: "the data folder is replaced by an empty one",
      change: async (data: string) => {
        await rename(data, `${data}.renamed`);
        await mkdir(data);
      },
    },
    {
      what: "the database file alone is deleted",
      change: (data: string) => rm(join(data, "store.db")),
    },
    {
      what: "the database file is replaced by another",
      change: async (data: string) => {
        await copyFile(join(data, "store.db"), join(data, "other.db"));
        await rename(join(data, "other.db"), join(data, "store.db"));
      },
    },
  ])("when $what", async ({ change }) => {
    const data = await answeredOnce();

    await change(data);
    const writing = write("two");
    expect(await bot.ended()).toBe(74);
    await writing;

    expect(lastLine()).toMatchObject({
      code: "store-gone",
      message: expect.stringContaining("was removed or replaced while the bot ran"),
      hint: expect.stringMatching(/answerback restore --config \S+ FILE$/),
    });
    expect(await bot.messagesTo("ana")).toEqual(["Hello, Ana."]);
  });

  it("even if no event arrives to be written", async () => {
    const data = await answeredOnce();
    await bot.quiet();

    await rm(join(data, "store.db"));

    expect(await bot.ended()).toBe(74);
  });
});

it("ends with code 70 when the write-ahead log is deleted, and answers later events after its restart", async () => {
  const data = await answeredOnce();

  await rm(join(data, "store.db-wal"));
  await write("two");
  expect(await bot.ended()).toBe(70);
  expect(lastLine()).toMatchObject({
    code: "store-died",
    message: expect.stringContaining("store.db-wal was removed or replaced"),
  });

  await bot.start();
  await answers(2);
  expect(await bot.messagesTo("ana")).toEqual(["Hello, Ana.", "Hello, Ana."]);
});
