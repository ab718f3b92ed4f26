import { rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { run } from "../support/command-line.ts";
import { fileLimit, type FullDisk, smallVolume } from "../support/full-disk.ts";
import { when } from "../support/when.ts";

const HELLO = {
  "hello.yaml": `version: 1
rules:
  - id: hello
    triggers: [dm.received]
    actions: [{reply_dm: {text: "Hello, \${{ sender.name }}."}}]
`,
};
const PRELOAD = pathToFileURL(
  join(import.meta.dirname, "../fixtures/preload/end-store-thread.mjs"),
);

let bot: BotOnSandbox;
afterEach(() => bot.close());

const write = (text: string): Promise<unknown> =>
  bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });

const answers = (count: number): Promise<true> =>
  when(async () => ((await bot.messagesTo("ana")).length >= count ? true : undefined));

describe("a bot whose store", () => {
  it("has a thread that died ends with code 70 and a sentence, and answers all after its restart", async () => {
    bot = await botOnSandbox({ rules: HELLO, env: { NODE_OPTIONS: `--import ${PRELOAD.href}` } });
    await bot.startProcess();
    await write("one");
    await answers(1);

    bot.signal("SIGUSR2");
    expect(await bot.ended()).toBe(70);
    await bot.logged("the store's thread died");
    expect(bot.log()).not.toContain("bug:");
    await write("two");
    await bot.start();
    await answers(2);

    expect(await bot.messagesTo("ana")).toEqual(["Hello, Ana.", "Hello, Ana."]);
  });

  it.each([
    { what: "store.db is empty", change: (data: string) => truncate(join(data, "store.db")) },
    { what: "store.db is gone", change: (data: string) => rm(join(data, "store.db")) },
    { what: "store.db is garbage", change: (data: string) => fill(join(data, "store.db")) },
    {
      what: "accounts.json is empty",
      change: (data: string) => truncate(join(data, "accounts.json")),
    },
    {
      what: "accounts.json is garbage",
      change: (data: string) => fill(join(data, "accounts.json")),
    },
    { what: "accounts.json is missing", change: (data: string) => rm(join(data, "accounts.json")) },
    {
      what: "sandbox.json is empty",
      change: (data: string) => truncate(join(data, "sandbox.json")),
    },
    { what: "sandbox.json is garbage", change: (data: string) => fill(join(data, "sandbox.json")) },
  ])("lies where $what refuses to start, with a sentence", async ({ change }) => {
    bot = await botOnSandbox({ rules: HELLO });
    await bot.start();
    await bot.stop();
    await change(join(bot.folder, "data"));

    await expect(bot.startProcess()).rejects.toThrow("the bot ended with");
    expect(await bot.ended()).not.toBe(0);
    const last = bot.log().trim().split("\n").at(-1) ?? "";
    expect(JSON.parse(last)).toMatchObject({
      code: expect.not.stringContaining("bug"),
      hint: expect.stringContaining("answerback restore"),
    });
  });
});

describe("stops the bot's acknowledging, and no more: what is sent again is answered once there is room", () => {
  let disk: FullDisk | undefined;
  afterEach(() => disk?.close());

  it("a disk that is full", { tags: ["small-volume"] }, async () => {
    const { answers, ended } = await filledAndFreed((data) => smallVolume(data, 8 * 1024 * 1024));

    expect(answers).toEqual(["Hello, Ana.", "Hello, Ana."]);
    expect(ended).toBe(0);
  });

  it("a file that may grow no further", { tags: ["file-limit"] }, async () => {
    const { answers, ended } = await filledAndFreed(async () => fileLimit());

    expect(answers).toEqual(["Hello, Ana.", "Hello, Ana."]);
    expect(ended).toBe(0);
  });

  it(
    "reads back what it refused once it writes again, before the platform's retry",
    { tags: ["file-limit"] },
    async () => {
      bot = await botOnSandbox({
        rules: HELLO,
        inData: async () => {
          disk = fileLimit();
        },
      });
      await bot.startProcess();
      await write("one");
      await answers(1);
      // Coverage begins when the subscription is a minute old, since a younger one may not deliver yet.
      await bot.sandbox.control.advance(60_000);
      await bot.sandbox.control.freezeClock(true);
      disk?.fill(bot.pid());
      await write("two");
      await when(async () => ((await bot.ready())?.status === 503 ? true : undefined));
      const [pending] = await bot.sandbox.control.pendingDeliveries();
      disk?.free(bot.pid());
      await answers(2);

      expect(pending).toMatchObject({ kind: "message", attempts: 1 });
      expect(await bot.sandbox.control.pendingDeliveries()).toContainEqual(pending);
      await bot.sandbox.control.freezeClock(false);
      await bot.sandbox.control.advance(3_000);
      expect(await bot.sandbox.control.pendingDeliveries()).toEqual([]);
      await bot.stop();
      expect(await bot.messagesTo("ana")).toEqual(["Hello, Ana.", "Hello, Ana."]);
    },
  );

  async function filledAndFreed(diskAt: (data: string) => Promise<FullDisk>) {
    bot = await botOnSandbox({
      rules: HELLO,
      inData: async (data) => {
        disk = await diskAt(data);
      },
    });
    await bot.startProcess();
    await write("one");
    await answers(1);
    disk?.fill(bot.pid());
    await write("two");

    const { status, text } = await when(async () => {
      const ready = await bot.ready();
      return ready?.status === 503 ? ready : undefined;
    });
    expect({ status, text }).toMatchObject({ text: expect.stringContaining("the store") });
    const settings = ["--config", join(bot.folder, "config", "answerback.yaml")];
    const broken = await run(bot.folder, "doctor", "--json", ...settings);
    const [first = ""] = broken.out.split("\n");
    expect(broken.code).toBe(3);
    expect(JSON.parse(first)).toMatchObject({
      name: "bot",
      state: "fail",
      message: expect.stringContaining("not ready: store: the store takes no writes"),
      fix: expect.stringContaining("free disk space for"),
    });
    disk?.free(bot.pid());
    await when(async () => ((await bot.ready())?.status === 200 ? true : undefined));
    const mended = await run(bot.folder, "doctor", ...settings);
    expect(mended.out).toMatch(/^ok +bot +running since/m);
    await bot.sandbox.control.advance(300_000);
    await answers(2);

    return { answers: await bot.messagesTo("ana"), ended: await bot.stop() };
  }
});

async function fill(file: string): Promise<void> {
  await writeFile(file, "lorem ipsum ".repeat(1_000));
}
