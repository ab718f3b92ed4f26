import { expect, it, onTestFinished } from "vitest";
import { EXIT } from "../../../src/cli/exit-codes.ts";
import { botOnSandbox } from "../../support/bot-on-sandbox.ts";
import { begin } from "../../support/command-line.ts";

it("an answer to the earlier user is printed after the user has changed", async () => {
  const bot = await botOnSandbox({ shared: false });
  onTestFinished(() => bot.close());
  const { control } = bot.sandbox;
  const botId = bot.file.bot.id;
  async function* typed(): AsyncGenerator<string> {
    yield "/as @ben";
    await control.act(botId, { type: "dm", to: bot.people.ana, text: "Hello, Ana" });
    await chat.until("@hello_bot: Hello, Ana\n");
  }
  const chat = begin({ cwd: bot.folder, typed: typed() }, ["chat", "--as", "@ana"]);

  expect((await chat.ended).out).toBe("@hello_bot: Hello, Ana\n");
});

it("a line that the sandbox refuses is reported, and the chat continues", async () => {
  const bot = await botOnSandbox({ shared: false });
  onTestFinished(() => bot.close());
  const { control } = bot.sandbox;
  const botId = bot.file.bot.id;
  async function* typed(): AsyncGenerator<string> {
    yield "/as @no such handle";
    yield "/as @hello_bot";
    yield `/post ${"a".repeat(26_000)}`;
    await control.act(botId, { type: "dm", to: bot.people.ana, text: "Hello, Ana" });
    await chat.until("@hello_bot: Hello, Ana\n");
  }
  const chat = begin({ cwd: bot.folder, typed: typed() }, ["chat", "--as", "@ana"]);
  const { code, out, err } = await chat.ended;

  expect([code, out]).toEqual([0, "@hello_bot: Hello, Ana\n"]);
  expect(err.match(/^error: .+/gm)).toHaveLength(3);
  expect(err.match(/^@ana> /gm)).toHaveLength(5);
});

it.each([
  { args: ["send", "@hello_bot", "are you open?"] },
  { args: ["send", "Hello_Bot", "--post", "@hello_bot are you open?"] },
  { args: ["chat", "--as", "hello_bot"], input: "are you open?\n" },
  { args: ["chat"], input: "/as @hello_bot\nare you open?\n" },
])("the bot's own handle is refused as that of the person: $args $input", async (row) => {
  const bot = await botOnSandbox({ shared: false });
  onTestFinished(() => bot.close());
  const { args, input = "" } = row;
  const { code, out, err } = await begin({ cwd: bot.folder, input }, args).ended;

  expect({ code, out }).toEqual({ code: EXIT.usage, out: "" });
  expect(err).toContain("@hello_bot is the bot itself");
  expect(err).toContain("name the person who writes, such as @ana");
});

it("a chat ends with a message when the sandbox ends", async () => {
  const bot = await botOnSandbox({ shared: false });
  onTestFinished(() => bot.close());
  async function* typed(): AsyncGenerator<string> {
    await bot.sandbox.close();
    yield await new Promise<string>(() => {});
  }
  const { code, err } = await begin({ cwd: bot.folder, typed: typed() }, ["chat"]).ended;

  expect(code).toBe(EXIT.unreachable);
  expect(err).toContain("error: the sandbox has ended\n  help: start it again: answerback dev");
});

const SLASHES = `version: 1
rules:
  - id: slash
    triggers: [dm.received]
    actions: [{ reply_dm: { text: "heard \${{ message.text }}" } }]
`;

it("sends other words after a slash to the bot, and // for the words of the chat", async () => {
  const bot = await botOnSandbox({ shared: false, rules: { "slash.yaml": SLASHES } });
  onTestFinished(() => bot.close());
  await bot.start();
  const input = "/quiz\n/quiz 2\n/post-it\n/posts\n/\n//help\n/help\n/as ＠ben\n/start\n";
  const { code, out, err } = await begin({ cwd: bot.folder, input }, ["chat", "--wait", "600"])
    .ended;

  const heard = ["/quiz", "/quiz 2", "/post-it", "/posts", "/", "/help", "/start"];
  expect({ code, out }).toEqual({
    code: 0,
    out: heard.map((text) => `@hello_bot: heard ${text}\n`).join(""),
  });
  expect(err).toContain("/post TEXT");
});

it.each([
  { line: "/post", message: "/post has no text" },
  { line: "/reply ", message: "/reply has no text" },
  { line: "/as", message: "/as has no handle" },
  { line: "/follow @hello_bot", message: "/follow takes no text" },
])("refuses the incomplete line $line", async ({ line, message }) => {
  const bot = await botOnSandbox({ shared: false });
  onTestFinished(() => bot.close());
  const { code, out, err } = await begin({ cwd: bot.folder, input: `${line}\n` }, ["chat"]).ended;

  expect({ code, out }).toEqual({ code: EXIT.usage, out: "" });
  expect(err).toContain(message);
  expect(err).toContain("as in: /");
});
