import { afterEach, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { door, type Door } from "../support/door.ts";
import { when } from "../support/when.ts";

const ECHO = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    actions: [{reply_dm: {text: "re \${{ message.text }}"}}]
`;

let bot: BotOnSandbox;
let wire: Door;
afterEach(async () => {
  await bot.close();
  wire.close();
});

it("answers a message that arrived during the first start, before the account's subscription", async () => {
  const says = (text: string): Promise<unknown> =>
    bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
  wire = door(
    () => {},
    async (method, path) => {
      if (method === "POST" && path.endsWith("/subscriptions/all")) await says("one");
    },
  );
  bot = await botOnSandbox({ rules: { "echo.yaml": ECHO }, through: (url) => wire.through(url) });
  await bot.start();
  // The platform delivers events of a new subscription after ten seconds at the latest.
  await bot.sandbox.control.advance(10_000);
  await when(async () => ((await bot.messagesTo("ana")).length > 0 ? true : undefined));
  await says("two");
  await bot.quiet();

  expect(await bot.messagesTo("ana")).toEqual(["re one", "re two"]);
});

it("notices an outage that begins right after the first start", async () => {
  wire = door(() => {});
  bot = await botOnSandbox({ rules: { "echo.yaml": ECHO }, through: (url) => wire.through(url) });
  await bot.start();
  const { control } = bot.sandbox;
  for (const direction of ["delivery", "challenge"]) {
    const when = { always: true };
    await control.post("/faults", { match: { direction }, fault: { type: "cut" }, when });
  }
  await control.advance(15_000);
  await control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text: "one" });
  await control.advance(30 * 60_000);
  await bot.logged("deliveries were missed");
  await bot.quiet();

  expect(await bot.messagesTo("ana")).toEqual(["re one"]);
});
