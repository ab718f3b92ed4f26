import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openRuntimeOver } from "../../src/host/open-runtime.ts";
import { openLog } from "../../src/runtime/log.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { when } from "../support/when.ts";

const PRICE = `version: 1
rules:
  - id: price
    triggers: [dm.received]
    actions:
      - call: ./modules/price.ts#price
        id: price
      - reply_dm: { text: "\${{ steps.price.result.orValue('no price') }}" }
`;
const FILES = {
  "package.json": `{"type": "module"}`,
  "answerback.yaml":
    "version: 1\nstore: file:data\nwebhook: { listen: '127.0.0.1:0' }\nrules: [rules/*.yaml]\nbots: [bots/*.ts]\n",
  "rules/price.yaml": PRICE,
  "rules/modules/price.ts": `import { unit } from "./units/unit.ts";
export const price = (): string => "costs 5 " + unit;`,
  "rules/modules/units/unit.ts": `export const unit: string = "EUR";`,
  "bots/repeat.ts": `import { defineBot } from "answerback";
import { word } from "../words/word.ts";
export default defineBot({ name: "repeat", on: { "dm.received": (ctx) => ctx.reply(word) } });`,
  "words/word.ts": `export const word: string = "first";`,
};

/** Starts a bot over a project whose folders are watched by hand. */
async function watchedBot() {
  const folder = await mkdtemp(join(tmpdir(), "changed-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const save = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(FILES)) await save(name, text);
  const sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  onTestFinished(() => sandbox.close());
  const lines: string[] = [];
  const log = openLog({
    level: "info",
    destination: { write: (line) => void lines.push(JSON.parse(line).msg) },
  });
  let watched: readonly string[] = [];
  let notify = (): void => {};
  const runtime = await openRuntimeOver(
    {
      sandbox,
      cwd: folder,
      environment: {},
      log,
      settings: "answerback.yaml",
    },
    {
      isComplete: true,
      watch: (folders, onChange) => {
        watched = folders.map((one) => one.slice(folder.length + 1));
        notify = onChange;
        return () => {};
      },
    },
  );
  onTestFinished(() => runtime.stop());
  const [bot] = (await runtime.status()).accounts;
  const ana = await sandbox.control.user("ana", { name: "Ana" });
  return {
    save,
    watched: () => watched,
    /** Sends a message, and returns the texts of both answers. */
    async answers(): Promise<readonly string[]> {
      const before = (await runtime.outbox()).length;
      await sandbox.control.act(ana, { type: "dm", to: bot?.id ?? "", text: "price?" });
      const isSent = async () => {
        const items = (await runtime.outbox()).slice(0, -before || undefined);
        return items.length === 2 && items.every(({ status }) => status === "sent")
          ? items
          : undefined;
      };
      const texts = (await when(isSent)).map(({ action }) =>
        "text" in action ? (action.text ?? "") : "",
      );
      return texts.sort();
    },
    /** Saves a file, and waits for the line of the log that contains `text`. */
    async change(name: string, content: string, text: string): Promise<void> {
      const from = lines.length;
      await save(name, content);
      notify();
      await when(async () => lines.slice(from).find((line) => line.includes(text)));
    },
  };
}

it("reloads modules that import a changed file of another folder", async () => {
  const bot = await watchedBot();
  expect(bot.watched()).toEqual(["bots", "rules", "rules/modules", "rules/modules/units", "words"]);
  expect(await bot.answers()).toEqual(["costs 5 EUR", "first"]);

  await bot.change("words/word.ts", `export const word = "second";`, "reloaded: changed word.ts");
  expect(await bot.answers()).toEqual(["costs 5 EUR", "second"]);
  await bot.change(
    "rules/modules/units/unit.ts",
    `export const unit = "USD";`,
    "reloaded: changed unit.ts",
  );
  expect(await bot.answers()).toEqual(["costs 5 USD", "second"]);
});

it("reloads a module that rules call", async () => {
  const bot = await watchedBot();
  expect(await bot.answers()).toEqual(["costs 5 EUR", "first"]);

  await bot.change(
    "rules/modules/price.ts",
    `export const price = (): string => "is free";`,
    "reloaded: changed price.ts",
  );
  expect(await bot.answers()).toEqual(["first", "is free"]);
  expect(bot.watched()).toEqual(["bots", "rules", "rules/modules", "words"]);
});

it("watches the modules of a changed rule", async () => {
  const bot = await watchedBot();
  await bot.save("lib/other.ts", `export const price = (): string => "other";`);
  await bot.change(
    "rules/price.yaml",
    PRICE.replace("./modules/price", "../lib/other"),
    "rules reloaded",
  );

  await when(async () => (bot.watched().includes("lib") ? true : undefined));
  expect(await bot.answers()).toEqual(["first", "other"]);
});

it("reloads a bot when the missing or broken file that it imports is written", async () => {
  const bot = await watchedBot();
  const importing = FILES["bots/repeat.ts"].replace("../words/word.ts", "../sayings/one.js");
  await bot.change("bots/repeat.ts", importing, "bot not loaded");
  expect(await bot.answers()).toEqual(["costs 5 EUR", "first"]);

  await when(async () => (bot.watched().includes("") ? true : undefined));
  await bot.change("sayings/one.ts", `export const word = ;`, "bot not loaded");
  await when(async () => (bot.watched().includes("sayings") ? true : undefined));
  await bot.change("sayings/one.ts", `export const word = "third";`, "bots reloaded");
  expect(await bot.answers()).toEqual(["costs 5 EUR", "third"]);
});
