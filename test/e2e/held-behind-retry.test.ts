import { afterEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const HELLO = `version: 1
rules:
  - id: hello
    triggers: [dm.received]
    actions: [{reply_dm: {text: "Heard \${{ message.text }}."}}]
`;

let bot: BotOnSandbox;
afterEach(() => bot.close());

const write = (text: string): Promise<unknown> =>
  bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });

const answers = (count: number): Promise<true> =>
  when(async () => ((await bot.messagesTo("ana")).length >= count ? true : undefined));

describe("a bot that was killed", () => {
  it("answers the next message of a person at once after its start, while the platform still retries the one before", async () => {
    bot = await botOnSandbox({ rules: { "hello.yaml": HELLO } });
    const { control } = bot.sandbox;
    await bot.startProcess();
    await write("one");
    await answers(1);
    // Coverage begins when the subscription is a minute old, since a younger one may not deliver yet.
    await control.advance(60_000);
    // While the clock is frozen, no retry falls due.
    await control.freezeClock(true);
    await bot.kill();
    await write("two");
    await when(async () =>
      (await control.pendingDeliveries()).some(({ attempts }) => attempts === 1) ? true : undefined,
    );

    await bot.start();
    await answers(2);
    await write("three");
    await answers(3);

    const pending = await control.pendingDeliveries();
    expect(pending.map(({ attempts }) => attempts)).toEqual(expect.arrayContaining([0, 1]));
    await control.freezeClock(false);
    await control.advance(300_000);
    await when(async () => ((await control.pendingDeliveries()).length === 0 ? true : undefined));
    await bot.quiet();
    expect(await bot.messagesTo("ana")).toEqual(["Heard one.", "Heard two.", "Heard three."]);
  });
});
