import { expect } from "vitest";
import type { CallsOf } from "./stage.ts";

export const usage: CallsOf<"usage"> = {
  posts: async ({ appOnly, bot, botId, word }) => {
    const { id } = await bot.posts.create({ text: word() });
    const before = await appOnly.usage.posts();
    await bot.timelines.posts(botId, { sinceId: String(BigInt(id) - 1n) });
    const after = await appOnly.usage.posts({
      days: 2,
      usageFields: ["daily_client_app_usage", "daily_project_usage"],
    });

    expect(before).toEqual({
      cap_reset_day: expect.any(Number),
      project_cap: 2_000_000,
      project_id: expect.any(String),
      project_usage: expect.any(Number),
    });
    expect(after.project_usage).toBe(before.project_usage + 1);
    const [app] = after.daily_client_app_usage ?? [];
    expect(app?.usage.map(({ usage: posts }) => posts)).toEqual([0, after.project_usage]);
    expect(after.daily_project_usage?.usage).toEqual(app?.usage);
  },
};
