import { afterEach, expect, it } from "vitest";
import { begin } from "../support/command-line.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules: [{id: hello, triggers: [dm.received], actions: [{reply_dm: "Hello: \${{ message.text }}"}]}]
`;

let bot: BotOnSandbox;
afterEach(() => bot.close());

it("a receiver without ANSWERBACK_KEY takes events in, and a worker with it answers them", async () => {
  const env: Record<string, string> = {};
  bot = await botOnSandbox({ rules: { "hello.yaml": RULES }, shared: true, env });
  await bot.start();
  const ana = await bot.stranger("Ana");
  await ana.says("one");
  await ana.answers(1);
  await bot.stop();

  env["ANSWERBACK_KEY"] = "";
  const { accounts, missing } = await bot.start("--role", "receiver");
  await ana.says("two");
  await when(async () =>
    (await bot.journal()).some(({ body }) => body.includes("two")) ? true : undefined,
  );
  expect(accounts.map(({ username }) => username)).toEqual(["hello_bot"]);
  expect(missing.map(({ part }) => part)).not.toContain("accounts");
  expect(await bot.messagesTo(ana.id)).toEqual(["Hello: one"]);
  const doctor = begin({ cwd: bot.folder, env: { ANSWERBACK_ROLE: "receiver" } }, [
    "doctor",
    "--json",
    "--config",
    "config/answerback.yaml",
  ]);
  const { out } = await doctor.ended;
  expect(out).toContain('"name":"secrets","state":"ok","message":"role receiver: ');
  expect(out).not.toContain("ANSWERBACK_KEY");
  await bot.stop();

  delete env["ANSWERBACK_KEY"];
  await bot.start();
  expect(await ana.answers(2)).toEqual(["Hello: one", "Hello: two"]);
});
