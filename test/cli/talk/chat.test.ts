import { expect, it, onTestFinished } from "vitest";
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
