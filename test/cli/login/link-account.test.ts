import { join } from "node:path";
import { expect, it } from "vitest";
import { botOnSandbox } from "../../support/bot-on-sandbox.ts";
import { run } from "../../support/command-line.ts";

const AHEAD_MS = 48 * 60 * 60_000;

it("links an account at the sandbox's time while the bot is stopped", async () => {
  const bot = await botOnSandbox({ rules: {}, shared: false });
  try {
    const { control } = bot.sandbox;
    await control.advance(AHEAD_MS);
    const before = Date.parse((await control.clock()).now);
    const config = ["--config", join(bot.folder, "config", "answerback.yaml")];

    await run(bot.folder, "accounts", "add", "@shop", ...config);
    const listed = await run(bot.folder, "accounts", "list", "--json", ...config);

    const shop = listed.out.split("\n").find((line) => line.includes('"shop"')) ?? "{}";
    const linkedAt = Date.parse(JSON.parse(shop).linked_at);
    expect(linkedAt).toBeGreaterThanOrEqual(before);
    expect(linkedAt).toBeLessThanOrEqual(Date.parse((await control.clock()).now));
  } finally {
    await bot.close();
  }
});
