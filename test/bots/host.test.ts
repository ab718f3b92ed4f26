import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FromThread, Handling } from "../../src/bots/messages.ts";
import { startBots, type BotHost } from "../../src/bots/host.ts";
import { messageReceived, postMentioned } from "../support/events.ts";

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const troubled = file("../fixtures/bots/troubled.ts");

const handling = (text: string): Handling => ({
  bot: "troubled",
  triggers: ["dm.received"],
  event: messageReceived({ text }),
  account: { id: "100", username: "hello_bot" },
  now: 0,
  replayed: false,
  answered: false,
});

describe("bots in their thread", () => {
  let host: BotHost;
  const lines: Extract<FromThread, { type: "log" }>[] = [];
  beforeAll(async () => {
    host = await startBots({
      files: [troubled, file("../../bots/dice.ts"), file("../fixtures/bots/no-bot.ts")],
      handlerTimeoutMs: 1_500,
      stallMs: 1_000,
      onLog: (line) => lines.push(line),
    });
  });
  afterAll(() => host.close());

  it("lists what it loaded, and says what is wrong with what it could not", () => {
    expect(host.bots.map((bot) => [bot.name, bot.triggers])).toEqual([
      ["troubled", ["dm.received", "post.mentioned"]],
      ["dice", ["dm.received"]],
    ]);
    expect(host.faults).toHaveLength(1);
    expect(host.faults[0]?.message).toContain("export default defineBot(");
  });

  it("answers a message with a message, and logs under the bot's name", async () => {
    const outcome = await host.handle(handling("hello"));

    expect(outcome.actions).toEqual([{ type: "reply_dm", to: "200", text: "you said hello" }]);
    expect(lines.at(-1)).toMatchObject({
      bot: "troubled",
      message: "heard",
      fields: { text: "hello" },
    });
  });

  it("answers a mention with a reply post", async () => {
    const outcome = await host.handle({
      ...handling(""),
      triggers: ["post.mentioned"],
      event: postMentioned({ id: "9001" }),
    });

    expect(outcome.actions).toEqual([
      { type: "reply_post", inReplyTo: "9001", to: "200", text: "hello @ana" },
    ]);
  });

  it("rolls the same dice for the same message", async () => {
    const roll = { ...handling("roll 2d6"), bot: "dice" };

    const [first, second] = [await host.handle(roll), await host.handle(roll)];

    expect(first.actions[0]).toMatchObject({
      text: expect.stringMatching(/^You rolled \d \+ \d = \d+\.$/),
    });
    expect(second).toEqual(first);
  });

  it.each([
    { text: "throw", error: "on purpose", actions: 0, why: "nothing was asked for before" },
    {
      text: "reply then throw",
      error: "after the reply",
      actions: 1,
      why: "an accepted reply goes out",
    },
    { text: "empty", error: "1 character or more", actions: 0, why: "an empty reply is a mistake" },
    { text: "slow", error: "longer than 1500 ms", actions: 0, why: "it never ends" },
    { text: "loop", error: "was restarted", actions: 0, why: "it blocks its thread" },
  ])("fails only the handler on $text: $why", async ({ text, error, actions }) => {
    const outcome = await host.handle(handling(text));

    expect(outcome.error).toContain(error);
    expect(outcome.actions).toHaveLength(actions);
    await expect(host.handle(handling("after"))).resolves.toMatchObject({
      actions: [{ text: "you said after" }],
    });
  });

  it("loads a bot from a folder that says nothing of modules", async () => {
    const folder = await mkdtemp(join(tmpdir(), "bots-"));
    await mkdir(join(folder, "node_modules"));
    await symlink(file("../.."), join(folder, "node_modules", "answerback"), "dir");
    await writeFile(
      join(folder, "plain.ts"),
      'import { defineBot } from "answerback";\n' +
        'export default defineBot({ name: "plain", on: { "dm.received": (ctx) => ctx.reply("plainly") } });\n',
    );
    const plain = await startBots({ files: [join(folder, "plain.ts")] });

    expect(plain.faults).toEqual([]);
    await expect(plain.handle({ ...handling("hi"), bot: "plain" })).resolves.toMatchObject({
      actions: [{ text: "plainly" }],
    });
    await plain.close();
    await rm(folder, { recursive: true });
  });

  it("runs the function that a rule calls, and says so when there is none", async () => {
    const step = { module: troubled, export: "double", input: { n: 21 }, event: messageReceived() };

    await expect(host.call(step)).resolves.toEqual({ ok: true, value: { twice: 42 } });
    await expect(host.call({ ...step, export: "triple" })).resolves.toMatchObject({
      ok: false,
      error: expect.stringContaining('exports no function "triple"'),
    });
  });
});
