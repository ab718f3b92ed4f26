import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Disagreement } from "../../../../src/cli/verify/compare.ts";
import { botOnSandbox, type BotOnSandbox } from "../../../support/bot-on-sandbox.ts";
import { type Ran, run } from "../../../support/command-line.ts";
import { when } from "../../../support/when.ts";

const RULES = {
  "hello.yaml": `version: 1
rules:
  - id: reminder
    triggers: [dm.received]
    conditions: [{ message.text: remind me }]
    actions: [{ delay: 3h }, { reply_dm: { text: "Hello, one" } }]
  - id: laugh
    triggers: [dm.received]
    conditions: [{ message.text: joke }]
    actions: [{ reply_dm: ha }, { reply_dm: ha }]
  - id: hello
    triggers: [dm.received]
    actions: [{reply_dm: {text: "Hello, \${{ message.text }}"}}]
`,
};

let bot: BotOnSandbox;
beforeEach(async () => {
  bot = await botOnSandbox({ rules: RULES, shared: false });
  await bot.start();
});
afterEach(() => bot.close());

const write = (text: string): Promise<unknown> =>
  bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
const writeByHand = (text: string): Promise<unknown> =>
  bot.sandbox.control.act(bot.file.bot.id, { type: "dm", to: bot.people.ana, text });
const answered = (count: number): Promise<true> =>
  when(async () => ((await bot.messagesTo("ana")).length >= count ? true : undefined));

/** Advances the clock past the time that an event or an answer may take, and runs `verify`. */
async function verified(
  ...args: readonly string[]
): Promise<Ran & { readonly differences: readonly Disagreement[] }> {
  await bot.sandbox.control.advance(30_000);
  const config = join(bot.folder, "config", "answerback.yaml");
  const ran = await run(bot.folder, "verify", "--json", "--config", config, ...args);
  const lines = ran.out.split("\n").filter((line) => line !== "");
  return { ...ran, differences: lines.map((line) => JSON.parse(line) as Disagreement) };
}

it("exits with 0 if each message has one answer, for a running and a stopped bot", async () => {
  await write("one");
  await write("one");
  await answered(2);
  await bot.quiet();
  expect(await verified()).toMatchObject({ code: 0, differences: [] });

  await bot.stop();
  expect(await verified()).toMatchObject({ code: 0, differences: [] });
});

it("accepts equal answers of one run, and lists a copy that only the platform has", async () => {
  await write("joke");
  await answered(2);
  await bot.quiet();
  expect(await verified()).toMatchObject({ code: 0, differences: [] });

  await writeByHand("ha");
  expect((await verified()).differences).toMatchObject([{ kind: "doubled", seq: 1 }]);
});

it("lists an answer that the platform shows twice", async () => {
  await write("one");
  await answered(1);
  await bot.quiet();
  await writeByHand("Hello, one");

  const { code, differences } = await verified();
  expect(code).toBe(1);
  expect(differences).toMatchObject([{ kind: "doubled", item: 1, seq: 1 }]);
});

it("accepts an answer that a run sends after hours", async () => {
  const minute = 60_000;
  await write("remind me");
  await when(async () => ((await bot.journal()).length === 1 ? true : undefined));
  await bot.quiet();
  await bot.sandbox.control.advance(180 * minute);
  await write("one");
  await answered(2);
  await bot.quiet();

  expect(await verified("--hours", "1")).toMatchObject({ code: 0, differences: [] });
});

it("lists messages to and from the account from the time when the bot was down", async () => {
  await bot.stop();
  await write("anybody there?");
  await writeByHand("We are back at nine.");

  const { code, differences } = await verified();
  expect(code).toBe(1);
  expect(differences).toMatchObject([
    { kind: "untold", reason: expect.stringContaining("never saw this message") },
    { kind: "untold", reason: expect.stringContaining("did not send") },
  ]);
});

it("lists an answer that was not sent within five minutes, and no messages written by hand", async () => {
  const sends = { direction: "request", method: "POST", path: "/2/dm_conversations/*" } as const;
  const fault = { type: "status", status: 503 } as const;
  await bot.sandbox.control.addFault({ match: sends, fault, when: { always: true } });
  await write("one");
  await when(async () => ((await bot.items()).length > 0 ? true : undefined));
  await writeByHand("We are here.");
  await when(async () => ((await bot.journal()).length >= 2 ? true : undefined));
  expect(await verified()).toMatchObject({ code: 0 });
  await bot.sandbox.control.advance(300_000);

  const { code, differences } = await verified();
  expect(code).toBe(1);
  expect(differences).toMatchObject([
    { kind: "unanswered", item: 1, seq: 1, reason: expect.stringContaining("Hello, one") },
  ]);
});
