import { afterEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const ECHO = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    actions: [{reply_dm: {text: "re \${{ message.text }}"}}]
`;
const PEOPLE = 8;

let bot: BotOnSandbox;
afterEach(() => bot.close());

describe("an outage of the platform while answers are sent", () => {
  it.each([
    { fault: { type: "status", status: 500 }, why: "nobody knows whether it was carried out" },
    { fault: { type: "status", status: 503 }, why: "the service is away" },
    { fault: { type: "cut" }, why: "the connection breaks before" },
    { fault: { type: "cut_after" }, why: "the message arrives, its answer does not" },
    { fault: { type: "status", status: 401 }, why: "credentials are the operator's to fix" },
    { fault: { type: "status", status: 403 }, why: "so are the app's rights" },
    {
      fault: { type: "status", status: 404 },
      why: "a route that is gone says nothing of the message",
    },
    { fault: { type: "status", status: 408 }, why: "the service was too slow" },
  ])("of $fault mutes nobody, and says nothing twice: $why", async ({ fault }) => {
    bot = await botOnSandbox({ rules: { "echo.yaml": ECHO } });
    const { control } = bot.sandbox;
    await bot.start();
    const people = await Promise.all(
      Array.from({ length: PEOPLE }, (_, n) => control.user(`person_${n}`, { name: `P${n}` })),
    );
    const say = (text: string): Promise<unknown> =>
      Promise.all(people.map((id) => control.act(id, { type: "dm", to: bot.file.bot.id, text })));
    const match = { direction: "request", method: "POST", path: "/2/dm_conversations/*" };
    await control.post("/faults", { match, fault, when: { always: true } });
    await say("one");
    await when(async () => {
      const { pending, sending, sent, unknown } = (await bot.status()).store.items;
      // If the platform has received the message, it delivers it as an event, from which the bot learns the outcome.
      return sending === 0 && pending + unknown + sent === PEOPLE ? true : undefined;
    });
    expect((await bot.status()).store.items.failed).toBe(0);

    await control.call("DELETE", "/faults");
    await say("two");
    await when(async () => {
      await control.advance(60_000);
      return (await bot.status()).store.items.sent === 2 * PEOPLE ? true : undefined;
    });

    const texts = await Promise.all(people.map((id) => bot.messagesTo(id)));
    expect(texts).toEqual(people.map(() => ["re one", "re two"]));
  });
});
