import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { testDatabase, type TestDatabase } from "../postgres/databases.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { begin } from "../support/command-line.ts";
import { when } from "../support/when.ts";

vi.setConfig({ testTimeout: 120_000 });

const ORDERS = {
  "orders.yaml": `version: 1
rules:
  - id: orders
    triggers: [dm.received]
    conditions: [{message.text: {equals: order}}]
    actions:
      - {id: number, ask: {text: "Which number?", within: 1d}}
      - reply_dm: {text: "Looking for \${{ steps.number.text }}"}
      - delay: 2h
      - reply_dm: {text: "\${{ steps.number.text }} is on its way"}
`,
};

let bot: BotOnSandbox;
let database: TestDatabase;
afterEach(async () => {
  await bot.close();
  await database.giveBack();
});

const say = (text: string) =>
  bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
const messages = (count: number): Promise<readonly string[]> =>
  when(async () => {
    const all = await bot.messagesTo("ana");
    return all.length >= count ? all : undefined;
  });

it("a waiting conversation continues in the database that its store is moved to, and back", async () => {
  database = await testDatabase({ fresh: true });
  const env: Record<string, string> = {};
  bot = await botOnSandbox({ rules: ORDERS, env });
  const config = join(bot.folder, "config", "answerback.yaml");
  env["ANSWERBACK_KEY"] = (await readFile(join(bot.folder, "data", "key"), "utf8")).trim();
  const moveTo = async (store: string): Promise<void> => {
    const ran = await begin({ cwd: bot.folder, env }, ["move", "--config", config, "--to", store])
      .ended;
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining("store: ") });
    // The tables' owner moves the store; the bot itself may have another role.
    const hint = "If the bot has a database role of its own";
    expect(ran.err.includes(hint)).toBe(store.startsWith("postgres:"));
    await writeFile(
      config,
      `version: 1\nstore: ${store}\n${store.startsWith("file:") ? "" : "data: ../data\n"}`,
    );
  };
  await bot.start();
  await say("order");
  await messages(1);
  await bot.stop();

  await moveTo(database.url);
  await bot.start();
  await say("4711");
  expect(await messages(2)).toEqual(["Which number?", "Looking for 4711"]);
  // The answer is sent, and the rule's run waits at its next step.
  await bot.quiet();
  await when(async () => {
    const { waiting, ready } = (await bot.status()).store.runs;
    return waiting === 1 && ready === 0 ? true : undefined;
  });
  await bot.stop();

  await moveTo(`file:${join(bot.folder, "data")}`);
  await bot.start();
  await bot.sandbox.control.advance(3 * 3_600_000);

  expect(await messages(3)).toEqual(["Which number?", "Looking for 4711", "4711 is on its way"]);
});
