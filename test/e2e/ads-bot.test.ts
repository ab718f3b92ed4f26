import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";

const PAGE = new URL("../../bots/guide/ask-the-platform.md", import.meta.url);

let bot: BotOnSandbox;
let folder: string;
beforeAll(async () => {
  const page = await readFile(PAGE, "utf8");
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code);
  folder = await mkdtemp(join(tmpdir(), "ads-desk-"));
  const file = join(folder, "ads-desk.ts");
  await writeFile(file, blocks.find((code) => code.includes("appEventTags")) ?? "");
  bot = await botOnSandbox({ bots: [file] });
  await bot.start();
});
afterAll(async () => {
  await bot.close();
  await rm(folder, { recursive: true });
});

it("the guide's bot for event tags creates a tag once, and reads tags and app lists", async () => {
  const { control } = bot.sandbox;
  const { account_id: accountId } = await control.post<{ account_id: string }>("/ads/accounts", {
    user_id: bot.file.bot.id,
    name: "partner",
  });
  await control.post("/ads/app_lists", {
    account_id: accountId,
    name: "games",
    app_store_identifiers: ["8"],
  });
  const ana = await bot.stranger("Ana");

  await ana.says(`/track ${accountId} 7`);
  const [first = ""] = await ana.answers(1);
  await ana.says(`/track ${accountId} 7`);
  const [, again] = await ana.answers(2);

  expect(first).toMatch(/^Tag \w+ counts sign-ups\. App lists: games$/);
  expect(again).toBe(first);
});
