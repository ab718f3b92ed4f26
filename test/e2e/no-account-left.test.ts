import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { botOnSandbox, type BotOnSandbox } from "../support/bot-on-sandbox.ts";
import { run } from "../support/command-line.ts";
import { when } from "../support/when.ts";

const LOGIN = "answerback login --username hello_bot";

let bot: BotOnSandbox;
beforeEach(async () => {
  bot = await botOnSandbox({});
});
afterEach(() => bot.close());

interface Finding {
  readonly name: string;
  readonly state: string;
  readonly message: string;
  readonly fix?: string;
}

const settings = (): string => join(bot.folder, "config", "answerback.yaml");
/** Fix that `doctor` and the log show: with the settings of the command. */
const loginHere = (): string => `answerback login --config ${settings()} --username hello_bot`;

async function doctor(): Promise<{
  readonly code: number;
  readonly findings: readonly Finding[];
}> {
  const { code, out } = await run(bot.folder, "doctor", "--json", "--config", settings());
  const findings = out
    .trim()
    .split("\n")
    .map((line): Finding => JSON.parse(line));
  return { code, findings };
}

const revoke = (id: string): Promise<unknown> =>
  bot.sandbox.control.call("DELETE", `/users/${id}/apps/${bot.file.app.id}`);

async function link(id: string, username: string): Promise<void> {
  const tokens = await bot.sandbox.control.tokens(id, bot.file.app.id);
  await bot.ask("linkAccount", {
    id,
    username,
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  });
}

const readyAs = (wanted: number) =>
  when(async () => {
    const ready = await bot.ready();
    return ready?.status === wanted ? ready : undefined;
  });

const lines = (level: number) =>
  bot
    .log()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): { level: number; msg: string } => JSON.parse(line))
    .filter((line) => line.level === level && line.msg.includes("is revoked"));

describe("a bot whose account is revoked", () => {
  it("is not ready if it was the only one, and shows the repair, until it is linked again", async () => {
    await bot.start();
    await readyAs(200);
    await revoke(bot.file.bot.id);

    const { text } = await readyAs(503);
    expect(text).toContain(`no linked account can be used; @hello_bot: `);
    expect(text).toContain(LOGIN);
    expect(lines(50)).toHaveLength(1);
    expect(lines(50)[0]?.msg).toContain(loginHere());
    expect((await bot.status()).accounts).toMatchObject([{ subscribed: false, fix: LOGIN }]);
    const { code, findings } = await doctor();
    expect(code).toBe(3);
    expect(findings[0]).toMatchObject({ name: "bot", state: "fail", fix: loginHere() });
    expect(findings.filter(({ name }) => name === "account")).toMatchObject([
      { state: "fail", fix: loginHere() },
    ]);

    await link(bot.file.bot.id, "hello_bot");
    await readyAs(200);
    expect((await doctor()).findings.filter(({ name }) => name === "bot")).toMatchObject([
      { state: "ok" },
    ]);
  }, 120_000);

  it("stays ready if another account works, and names the revoked one", async () => {
    await bot.start();
    await readyAs(200);
    const second = await bot.sandbox.control.user("second_bot");
    await link(second, "second_bot");
    await revoke(bot.file.bot.id);
    await when(() => (lines(40).length > 0 ? true : undefined));

    expect((await bot.ready())?.status).toBe(200);
    expect(lines(40)[0]?.msg).toContain(loginHere());
    expect(lines(50)).toEqual([]);
    const { findings } = await doctor();
    expect(findings[0]).toMatchObject({ name: "bot", state: "warn", fix: loginHere() });
    expect(findings.filter(({ name }) => name === "account")).toMatchObject([
      { state: "ok" },
      { state: "warn", fix: loginHere() },
    ]);
  }, 120_000);
});
