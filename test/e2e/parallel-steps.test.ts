import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { run } from "../support/command-line.ts";
import { when } from "../support/when.ts";

const rules = (port: number) => `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - parallel:
          colour: [{id: colour, ask: {text: "Which colour?", within: 15m}}]
          reminder: [{delay: 2m}, {reply: We are looking.}]
          stock: [{id: stock, http: {url: "http://127.0.0.1:${port}/stock"}}]
      - reply: "\${{ steps.stock.json.left }} in \${{ steps.colour.text }}."
`;

describe("parallel steps", () => {
  let bot: BotOnSandbox;
  let service: Server;
  let isHanging = true;
  let requests = 0;
  beforeAll(async () => {
    service = createServer((_request, response) => {
      requests += 1;
      if (isHanging) return;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ left: 3 }));
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const address = service.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const env = { ANSWERBACK_HTTP_ALLOW: `127.0.0.1:${port}` };
    bot = await botOnSandbox({ rules: { "orders.yaml": rules(port) }, env });
    await bot.startProcess();
  });
  afterAll(async () => {
    await bot.close();
    service.close();
    service.closeAllConnections();
  });

  const says = (text: string) =>
    bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
  const heard = (count: number) =>
    when(async () => {
      const texts = await bot.messagesTo("ana");
      return texts.length >= count ? texts : undefined;
    });

  it("continue after kill -9, each where it was, and are shown by trace", async () => {
    await says("an order");
    expect(await heard(1)).toEqual(["Which colour?"]);
    await when(() => requests > 0 || undefined);
    const { out } = await run(bot.folder, "trace", "1");
    expect(out).toMatch(
      /1\/rule:order \([\w-]+\) waits for its branches colour, reminder, stock\n/,
    );
    expect(out).toMatch(/rule:order#\/actions\[0\]\.parallel\.stock \([\w-]+\) ready\n/);

    await bot.kill();
    isHanging = false;
    await bot.start();
    await bot.sandbox.control.advance(120_000);
    expect(await heard(2)).toEqual(["Which colour?", "We are looking."]);
    await says("red");

    expect(await heard(3)).toEqual(["Which colour?", "We are looking.", "3 in red."]);
    await bot.quiet();
    const after = await run(bot.folder, "trace", "1/rule:order");
    expect(after.out).toContain("  actions[0].parallel.colour[0] ok");
    expect(after.out.match(/finished: all steps are done/g)).toHaveLength(4);
  });
});
