import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

vi.setConfig({ testTimeout: 120_000 });

const HOUR = 3_600_000;
let bot: BotOnSandbox;
let folder: string;
afterEach(async () => {
  await bot.close();
  await rm(folder, { recursive: true });
});

const say = (text: string) =>
  bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
const messages = (count: number): Promise<readonly string[]> =>
  when(async () => {
    const all = await bot.messagesTo("ana");
    return all.length >= count ? all : undefined;
  });
const waits = (count: number): Promise<true> =>
  when(async () => ((await bot.status()).store.runs.waiting === count ? true : undefined));

it("a bot's conversation continues after kill -9 at each of its waits, and sends nothing twice", async () => {
  folder = await mkdtemp(join(tmpdir(), "conversation-"));
  const done = join(folder, "done.txt");
  const go = join(folder, "go");
  const file = join(folder, "orders.mjs");
  await writeFile(
    file,
    `import { appendFileSync, existsSync } from "node:fs";
const did = (what) => appendFileSync(${JSON.stringify(done)}, what + "\\n");
export default { name: "orders", on: { "dm.received": async (ctx) => {
  if (ctx.event.message.text !== "order") return;
  const before = (await ctx.state.get("orders")) ?? 0;
  await ctx.state.set("orders", before + 1);
  const number = await ctx.ask("number", "Which number?", { timeout: "1d", where: { "message.text": { matches: "^[0-9]+$" } } });
  const kept = await ctx.step("look up", () => { did("look up " + number.message.text); return { state: "on its way" }; });
  await ctx.reply(kept.state);
  await ctx.step("book", async () => {
    did("book");
    while (!existsSync(${JSON.stringify(go)})) await new Promise((r) => setTimeout(r, 20));
  });
  await ctx.sleep("a while", "2h");
  await ctx.reply("still " + kept.state + ", order " + (before + 1));
} } };`,
  );
  bot = await botOnSandbox({ rules: {}, bots: [file] });
  await bot.startProcess();
  await say("order");
  await messages(1);
  await waits(1);
  await bot.kill();

  await bot.startProcess();
  await say("no number");
  await say("4711");
  await messages(2);
  // the step "book" is in progress, and the earlier messages are sent
  await when(async () => ((await readFile(done, "utf8")).includes("book") ? true : undefined));
  await bot.kill();

  await bot.startProcess();
  await when(async () =>
    (await readFile(done, "utf8")).endsWith("book\nbook\n") ? true : undefined,
  );
  await writeFile(go, "");
  await waits(1);
  await bot.kill();
  await bot.sandbox.control.advance(3 * HOUR);

  await bot.start();
  expect(await messages(3)).toEqual(["Which number?", "on its way", "still on its way, order 1"]);
  await waits(0);
  expect(await readFile(done, "utf8")).toBe("look up 4711\nbook\nbook\n");
  expect((await bot.status()).store.runs).toEqual({ ready: 0, waiting: 0 });
});

it("a step that counts and answers does so once, even with kill -9 during the step and while its handler sleeps", async () => {
  folder = await mkdtemp(join(tmpdir(), "conversation-"));
  const done = join(folder, "done.txt");
  const go = join(folder, "go");
  await writeFile(done, "");
  const file = join(folder, "pizzas.mjs");
  await writeFile(
    file,
    `import { appendFileSync, existsSync } from "node:fs";
export default { name: "pizzas", on: { "dm.received": async (ctx) => {
  const n = await ctx.step("count", async () => {
    const n = ((await ctx.state.get("orders")) ?? 0) + 1;
    await ctx.state.set("orders", n);
    await ctx.sendNow({ type: "reply_dm", to: ctx.sender.id, text: "order " + n });
    await ctx.reply("in the oven");
    appendFileSync(${JSON.stringify(done)}, "in the step\\n");
    while (!existsSync(${JSON.stringify(go)})) await new Promise((r) => setTimeout(r, 20));
    return n;
  });
  await ctx.sleep("oven", "20m");
  await ctx.reply(n + " of " + (await ctx.state.get("orders")) + " is ready");
} } };`,
  );
  bot = await botOnSandbox({ rules: {}, bots: [file] });
  await bot.startProcess();
  await say("a pizza");
  await messages(1);
  await when(async () => ((await readFile(done, "utf8")) === "in the step\n" ? true : undefined));
  await bot.kill();

  await bot.startProcess();
  await when(async () =>
    (await readFile(done, "utf8")).endsWith("step\nin the step\n") ? true : undefined,
  );
  expect(await messages(1)).toEqual(["order 1"]);
  await writeFile(go, "");
  await messages(2);
  await waits(1);
  await bot.kill();
  await bot.sandbox.control.advance(HOUR);

  await bot.start();
  expect(await messages(3)).toEqual(["order 1", "in the oven", "1 of 1 is ready"]);
  await waits(0);
  expect((await bot.status()).store.runs).toEqual({ ready: 0, waiting: 0 });
});

it("a conversation and a new event wait for a module that is broken since a restart, also over another restart", async () => {
  folder = await mkdtemp(join(tmpdir(), "conversation-"));
  const file = join(folder, "orders.mjs");
  const module = `export default { name: "orders", on: { "dm.received": async (ctx) => {
  if (ctx.event.message.text !== "order") return;
  const { message } = await ctx.ask("number", "Which number?", { timeout: "1d" });
  await ctx.reply("order " + message.text);
} } };`;
  await writeFile(file, module);
  const rules = `version: 1
rules:
  - id: thanks
    triggers: [dm.received]
    conditions: [{message.text: {equals: thanks}}]
    actions: [{reply_dm: {text: "you are welcome"}}]
`;
  bot = await botOnSandbox({ rules: { "rules.yaml": rules }, bots: [file] });
  await bot.start();
  await say("order");
  await messages(1);
  await waits(1);
  await bot.stop();

  await writeFile(file, 'throw new Error("no database");');
  await bot.startProcess();
  await say("4711");
  const ben = bot.people.ben;
  await bot.sandbox.control.act(ben, { type: "dm", to: bot.file.bot.id, text: "order" });
  const waitForModule = async (count: number): Promise<true> =>
    when(async () => ((await bot.status()).store.runs.ready === count ? true : undefined));
  await waitForModule(2);
  // A rule answers the same person meanwhile.
  await bot.sandbox.control.act(ben, { type: "dm", to: bot.file.bot.id, text: "thanks" });
  await when(async () => ((await bot.messagesTo("ben")).length === 1 ? true : undefined));
  const { bots, loadingBots, missing, now } = await bot.status();
  expect(bots).toMatchObject([{ name: "orders", waits: true }]);
  expect(loadingBots?.map(({ failed }) => failed?.split("\n")[0])).toEqual(["Error: no database"]);
  expect(Date.parse(loadingBots?.[0]?.retryAt ?? "")).toBeGreaterThan(Date.parse(now));
  expect(missing).toEqual([]);
  await bot.kill();

  await bot.start();
  await waitForModule(3);
  await writeFile(file, module);
  await bot.ask("reload", {});

  expect(await messages(2)).toEqual(["Which number?", "order 4711"]);
  await when(async () => ((await bot.messagesTo("ben")).length === 2 ? true : undefined));
  expect(await bot.messagesTo("ben")).toEqual(["you are welcome", "Which number?"]);
});
