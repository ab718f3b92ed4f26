import { afterEach, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: away
    triggers: [link.lost]
    actions:
      - escalate: {queue: ops, note: "lost since \${{ link.since }}: \${{ link.reason }}"}
  - id: back
    triggers: [link.restored]
    actions:
      - escalate: {queue: ops, note: back}
`;

let bot: BotOnSandbox;
afterEach(() => bot.close());

it("rules inform the operator once about a lost link, and once when it is back", async () => {
  bot = await botOnSandbox({ rules: { "link.yaml": RULES } });
  await bot.startProcess();
  const { app } = bot.file;
  const client = createClient({
    baseUrl: bot.sandbox.url,
    credentials: { type: "bearer", bearerToken: app.bearerToken },
  });
  const [webhook] = await client.webhooks.list();
  await client.webhooks.delete(webhook?.id ?? "");
  await client.close();
  await bot.sandbox.control.advance(60_000);

  const notes = async () => (await bot.ask("escalations", {})).map(({ note }) => note ?? "");
  await when(async () => ((await notes()).length >= 2 ? true : undefined));
  await bot.quiet();
  await bot.kill();
  await bot.start();
  await bot.quiet();

  const [back, lost] = await notes();
  expect(back).toBe("back");
  expect(lost).toMatch(/^lost since 2.*Z: the platform no longer has the webhook$/);
  const kinds = (await bot.journal()).map(({ kind, source }) => `${kind} ${source}`);
  expect(kinds.toReversed()).toEqual(["link_lost link", "link_restored link"]);
});
