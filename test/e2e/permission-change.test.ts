import { join } from "node:path";
import { afterEach, describe, expect, it, test } from "vitest";
import { checkFiles } from "../../src/cli/check/check-files.ts";
import type { AccessLevel } from "../../src/protocol/access.ts";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { when } from "../support/when.ts";

const NO_INPUT = {
  isTerminal: false,
  lines: async function* () {
    yield await Promise.resolve("");
  },
  text: () => Promise.resolve(""),
};

const RULES = `version: 1
rules:
  - id: pong
    triggers: [dm.received]
    actions: [{reply_dm: pong}]
`;

let bot: BotOnSandbox;
afterEach(() => bot.close());

async function started(source: string): Promise<void> {
  bot = await botOnSandbox({
    rules: { "rules.yaml": RULES },
    settings: `source: ${source}`,
  });
  await bot.start();
}

/** Waits until the bot's status shows this subscription state of the account, and returns the account. */
async function account(subscribed: boolean) {
  return when(async () => {
    await bot.sandbox.control.advance(60_000);
    const { accounts } = await bot.status();
    return accounts[0]?.subscribed === subscribed ? accounts[0] : undefined;
  });
}

const setLevel = (permission_level: AccessLevel) =>
  bot.sandbox.control.changeApp(bot.file.app.id, { permission_level });

/** Links the account again. The new tokens have the app's current permission level. */
async function login(): Promise<void> {
  const { id, username } = bot.file.bot;
  const tokens = await bot.sandbox.control.tokens(id, bot.file.app.id);
  await bot.ask("linkAccount", {
    id,
    username,
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  });
}

describe("after a change of the app's permission level", () => {
  test.each(["webhook", "activity", "both", "polling"])(
    "the status names the command that repairs the account, with source: %s",
    async (source) => {
      await started(source);
      expect(await account(true)).not.toHaveProperty("reason");
      await setLevel("read");

      const { reason, username } = await account(false);
      expect(reason).toContain(
        `the permission level changed, or the tokens were revoked: run \`answerback login --username ${username}\``,
      );
    },
  );

  it("a new log-in at the level for messages repairs it, with source: polling", async () => {
    await started("polling");
    await account(true);
    await setLevel("read");
    await account(false);
    await setLevel("read-write-directmessages");
    await login();
    const to = bot.file.bot.id;
    await bot.sandbox.control.act(bot.people.ana, { type: "dm", to, text: "ping" });

    const texts = await when(async () => {
      await bot.sandbox.control.advance(60_000);
      const all = await bot.sandbox.control.get<{
        tables: { messages?: readonly { text: string }[] };
      }>("/state");
      const said = all.tables.messages?.map(({ text }) => text) ?? [];
      return said.includes("pong") ? said : undefined;
    });
    expect(texts).toEqual(["ping", "pong"]);
    expect(await account(true)).not.toHaveProperty("reason");
  });

  it("names the level of tokens that is too low, and check uses the level that the bot has seen", async () => {
    await started("polling");
    await account(true);
    await setLevel("read-write");
    await login();

    expect((await account(false)).reason).toContain("the tokens have read-write");
    const config = join(bot.folder, "config", "answerback.yaml");
    const around = { cwd: bot.folder, env: {}, input: NO_INPUT };
    const { problems } = await checkFiles(around, [], { config });
    expect(problems.map(({ code }) => code)).toEqual(["permission-level", "permission-level"]);
    await bot.stop();
    expect((await checkFiles(around, [], { config })).problems).toEqual([]);
  });
});
