import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

vi.setConfig({ testTimeout: 60_000 });

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

const MODULE = `import { existsSync, writeFileSync } from "node:fs";
import { createBot, defineState } from "answerback";

const VISITS = defineState("visits", 0);

export default createBot("desk")
  .command("/book", async (ctx) => {
    const visits = await ctx.state.update(VISITS, (before) => before + 1);
    const { data } = await ctx.client.users.get(ctx.sender.id);
    const { status } = await ctx.sendNow({ type: "reply_dm", to: ctx.sender.id, text: "one moment" });
    await ctx.step("book", async () => {
      writeFileSync(new URL("./begun", import.meta.url), "");
      while (!existsSync(new URL("./go", import.meta.url))) await new Promise((r) => setTimeout(r, 20));
    });
    await ctx.typing("0s");
    await ctx.reply({ text: [ctx.args.join("+"), "visit " + visits, data.username, status].join(", "), media: new URL("./map.png", import.meta.url) });
  })
  .hears(/^(a+)+$/, (ctx) => ctx.reply("many"))
  .hears("fail", () => {
    console.warn("about to fail");
    throw new Error("on purpose");
  })
  .on("dm.received", (ctx) => ctx.reply("what?"));
`;

/** Picture of one pixel. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

it("a bot of parts sends sendNow at once, continues after kill -9, and hurts only itself", async () => {
  folder = await mkdtemp(join(tmpdir(), "desk-"));
  const file = join(folder, "desk.mjs");
  await writeFile(file, MODULE);
  await writeFile(join(folder, "map.png"), PICTURE);
  bot = await botOnSandbox({ bots: [file] });
  await bot.startProcess();
  await say("/book dinner two");
  expect(await messages(1)).toEqual(["one moment"]);
  await when(async () => existsSync(join(folder, "begun")) || undefined);
  await bot.kill();

  await writeFile(join(folder, "go"), "");
  await bot.start();
  const [, booked] = await messages(2);
  expect(booked).toMatch(/^dinner\+two, visit 1, ana, sent/);

  // a pattern that hangs fails its own event and no other
  await say(`${"a".repeat(60)}!`);
  await say("fail");
  await say("hello");
  expect((await messages(3))[2]).toBe("what?");
  const log = await when(async () => (bot.log().includes("on purpose") ? bot.log() : undefined));
  expect(log).toContain("about to fail");
  const source = await readFile(file, "utf8");
  const line = source.slice(0, source.indexOf("throw new Error")).split("\n").length;
  expect(log).toContain(`desk.mjs:${line}:11`);
  expect((await bot.status()).store.runs).toEqual({ ready: 0, waiting: 0 });
});
