import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { run } from "../support/command-line.ts";
import { when } from "../support/when.ts";

const HELLO = {
  "hello.yaml": `version: 1
rules:
  - id: hello
    triggers: [dm.received]
    actions: [{reply_dm: {text: "Hello, \${{ sender.name }}: \${{ message.text }}"}}]
`,
};

let bot: BotOnSandbox;
afterEach(() => bot.close());

const write = (person: "ana" | "ben", text: string): Promise<unknown> =>
  bot.sandbox.control.act(bot.people[person], { type: "dm", to: bot.file.bot.id, text });

const answered = (person: string, count: number): Promise<true> =>
  when(async () => ((await bot.messagesTo(person)).length >= count ? true : undefined));

const command = (...args: readonly string[]) =>
  run(bot.folder, ...args, "--config", join(bot.folder, "config", "answerback.yaml"));

it("after a restored backup of a running bot, each person is answered exactly once", async () => {
  bot = await botOnSandbox({ rules: HELLO });
  await bot.startProcess();
  await write("ana", "one");
  await answered("ana", 1);
  expect(await command("backup", "--to", "x.backup", "--json")).toMatchObject({
    code: 0,
    out: expect.stringContaining('"running":true'),
  });
  await write("ana", "two");
  await write("ben", "three");
  await answered("ana", 2);
  await answered("ben", 1);

  expect(await command("restore", "x.backup")).toMatchObject({
    code: 1,
    err: expect.stringContaining("another runtime holds this store"),
  });
  await bot.kill();
  await write("ben", "four");
  expect(await command("restore", "x.backup")).toMatchObject({
    code: 0,
    out: expect.stringContaining("before-restore"),
  });
  await bot.start();
  await when(async () => {
    await bot.sandbox.control.advance(20_000);
    const { items } = (await bot.status()).store;
    return items.sent >= 4 && items.unknown === 0 ? true : undefined;
  });

  expect(await bot.messagesTo("ana")).toEqual(["Hello, Ana: one", "Hello, Ana: two"]);
  expect(await bot.messagesTo("ben")).toEqual(["Hello, Ben: three", "Hello, Ben: four"]);
});

it("forget erases a person from a running bot's data, and repeated deliveries are not new", async () => {
  bot = await botOnSandbox({ rules: HELLO });
  await bot.start();
  await write("ana", "my secret is heliotrope");
  await write("ben", "good morning");
  await answered("ana", 1);
  await answered("ben", 1);
  await bot.quiet();

  expect(await command("forget", "@ana")).toMatchObject({
    code: 2,
    err: expect.stringContaining("--yes"),
  });
  expect(await command("forget", "@nobody", "--yes")).toMatchObject({ code: 2 });
  expect(await command("forget", "@hello_bot", "--yes")).toMatchObject({ code: 2 });
  const { code, out } = await command("forget", "@ana", "--yes", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ id: bot.people.ana, entries: 2, items: 1 });
  const data = join(bot.folder, "data");
  for (const name of (await readdir(data)).filter((file) => file.startsWith("store"))) {
    const bytes = await readFile(join(data, name), "latin1");
    const erased = ["heliotrope", bot.people.ana];
    expect(erased.filter((text) => bytes.includes(text))).toEqual([]);
  }
  expect((await bot.journal()).map(({ lane }) => lane)).not.toContain(
    `${bot.file.bot.id}/${bot.people.ana}`,
  );
  await write("ana", "hello again");
  await answered("ana", 2);
  expect(await bot.messagesTo("ben")).toHaveLength(1);
});
