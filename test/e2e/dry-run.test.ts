import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { run } from "../support/command-line.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const rules = (service: string) => `version: 1
rules:
  - id: hello
    triggers: [dm.received]
    cooldown: {per: sender, for: 1h}
    actions:
      - id: read
        http: {url: "${service}/read"}
      - id: write
        http: {method: POST, url: "${service}/write", json: {a: 1}}
      - reply: "Read \${{ string(steps.read.status) }}, wrote \${{ string(steps.write.status) }}."
      - follow
      - reply: And goodbye.
`;

describe.each([
  { where: "a folder", shared: undefined },
  { where: "a database", shared: true },
])("a dry run of a bot with its data in $where", ({ shared }) => {
  let bot: BotOnSandbox;
  let service: Server;
  const requests: string[] = [];
  beforeAll(async () => {
    service = createServer((request, answer) => {
      requests.push(`${request.method} ${request.url}`);
      answer.end("ok");
    });
    service.listen(0, "127.0.0.1");
    await once(service, "listening");
    const address = service.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const allowed = `127.0.0.1:${port}`;
    bot = await botOnSandbox({
      rules: { "hello.yaml": rules(`http://${allowed}`) },
      env: { ANSWERBACK_HTTP_ALLOW: allowed },
      shared,
    });
  });
  afterAll(async () => {
    service.close();
    await bot.close();
  });

  const tell = (text: string) =>
    bot.sandbox.control.act(bot.people.ana, { type: "dm", to: bot.file.bot.id, text });
  const sent = (count: number) =>
    when(async () => {
      const items = await bot.items("sent");
      return items.length >= count ? items.toReversed() : undefined;
    });

  it("accepts real events, sends nothing, lists and logs the unsent answers, and leaves the bot's data unchanged", async () => {
    await bot.start("--dry-run");
    await tell("hi");
    const items = await sent(3);
    const beside = await run(bot.folder, "run", "--dry-run", "--config", "config/answerback.yaml");
    await bot.stop();

    expect(items.map(({ action, reason }) => [action.type, reason])).toEqual([
      ["reply_dm", "dry run: it was not sent"],
      ["follow", "dry run: it was not sent"],
      ["reply_dm", "dry run: it was not sent"],
    ]);
    expect(items[0]?.action).toMatchObject({ text: "Read 200, wrote 204." });
    await bot.logged("would send: message to");
    await bot.logged("would request: POST");
    expect(requests).toEqual(["GET /read"]);
    expect(beside.code).toBe(2);
    expect(beside.err).toContain("a bot runs with the data folder");
    expect(await bot.messagesTo("ana")).toEqual([]);

    await bot.start();
    await tell("hi again");
    expect((await sent(3)).every(({ reason }) => reason === undefined)).toBe(true);
    expect(await bot.messagesTo("ana")).toEqual(["Read 200, wrote 200.", "And goodbye."]);
    expect(requests).toEqual(["GET /read", "GET /read", "POST /write"]);
  });
});
