import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkSubscriptions } from "../../../src/cli/doctor/subscription-checks.ts";
import type { EventSource } from "../../../src/config/settings.ts";
import { loadSettings } from "../../../src/config/load-settings.ts";
import { world, type World } from "../../client/support/world.ts";

let here: World;
beforeEach(async () => {
  here = await world("post");
});
afterEach(() => here.close());

async function findings(source: EventSource, webhookId: string) {
  const { appOnly: app, bot: client, botId: id } = here;
  const environment = { ANSWERBACK_SOURCE: source };
  const settings = await loadSettings({ cwd: "/", file: undefined, environment });
  const result = await checkSubscriptions(
    { app, settings },
    [{ id, username: "hello_bot", client }],
    webhookId,
  );
  return result.map(({ state, message }) => `${state}: ${message}`);
}

const NOT_OLDER = "@hello_bot's events are not delivered";
const NOT_NEWER = `${NOT_OLDER} by the activity interface`;

describe("doctor's report on subscriptions", () => {
  it("is about the interface that the settings name", async () => {
    expect(await findings("webhook", "1")).toEqual([
      expect.stringMatching(/^fail: .*WebhookIdInvalid/),
    ]);
    expect(await findings("activity", "1")).toEqual([`fail: ${NOT_NEWER}`]);
  });

  it("counts the delivered event types, and warns if a single interface is enough", async () => {
    const { appOnly, bot, botId: userId } = here;
    const { id: webhookId } = await appOnly.webhooks.create("https://bot.example/webhook");
    expect(await findings("both", webhookId)).toEqual([`fail: ${NOT_OLDER}`, `fail: ${NOT_NEWER}`]);
    await bot.activitySubscriptions.create({ eventType: "dm.received", userId, webhookId });
    const newer = "ok: @hello_bot: 1 of 17 event types by the activity interface";
    expect(await findings("activity", webhookId)).toEqual([newer]);
    expect(await findings("both", webhookId)).toEqual([`warn: ${NOT_OLDER}`, newer]);
    await bot.activity.subscribe(webhookId);
    expect(await findings("both", webhookId)).toEqual([
      "ok: @hello_bot's events are delivered",
      newer,
    ]);
  });
});
