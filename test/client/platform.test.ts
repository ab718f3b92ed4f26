import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CredentialError, PlatformError } from "../../src/client/errors.ts";
import type { Client } from "../../src/client/client.ts";
import { DIALECTS } from "../../src/protocol/dialects.ts";
import { failureOf, world, type World } from "./support/world.ts";

describe.each(DIALECTS)("the platform in the %s dialect", (dialect) => {
  let here: World;
  beforeAll(async () => {
    here = await world(dialect);
  });
  afterAll(() => here.close());

  describe("posts", () => {
    it("are created, read with the requested fields, and deleted", async () => {
      const created = await here.bot.posts.create({ text: "Good morning." });
      const { data, includes } = await here.bot.posts.get(created.id, {
        postFields: ["created_at", "author_id", "public_metrics"],
        expansions: ["author_id"],
        userFields: ["created_at", "public_metrics"],
      });
      expect(data).toMatchObject({ id: created.id, text: "Good morning.", author_id: here.botId });
      expect(data.public_metrics).toMatchObject({ repost_count: 0, reply_count: 0 });
      expect(Object.keys(data).toSorted()).toEqual([
        "author_id",
        "created_at",
        "edit_history_post_ids",
        "id",
        "public_metrics",
        "text",
      ]);
      expect(includes.users).toMatchObject([{ id: here.botId, username: "hello_bot" }]);
      expect(includes.users[0]?.public_metrics.post_count).toBeGreaterThan(0);
      expect(await here.bot.posts.delete(created.id)).toEqual({ deleted: true });
      expect(await failureOf(here.bot.posts.get(created.id))).toMatchObject({
        name: "PlatformError",
        notFound: true,
      });
    });

    it("report the platform's message for a text that is posted twice", async () => {
      await here.bot.posts.create({ text: "the same words" });
      const error = await failureOf(here.bot.posts.create({ text: "the same words" }));
      expect(error).toBeInstanceOf(PlatformError);
      expect(error).toMatchObject({ status: 403, executed: "no", retryable: false });
      expect(String(error)).toMatch(/POST \/2\/posts was refused with 403: .*duplicate/);
    });
  });

  describe("webhooks and account activity", () => {
    it("are refused with a reason that is separate from the message", async () => {
      const { appOnly, bot, sandbox } = here;
      const hook = await appOnly.webhooks.create("https://bot.example/webhook");
      await bot.activity.subscribe(hook.id);
      expect(await failureOf(bot.activity.subscribe(hook.id))).toMatchObject({
        reason: "DuplicateSubscriptionFailed",
        status: 400,
      });
      const { now } = await sandbox.control.get<{ now: string }>("/clock");
      const ago = (minutes: number) => new Date(Date.parse(now) - minutes * 60_000);
      const upside = appOnly.replay.start({ webhookId: hook.id, from: ago(30), to: ago(90) });
      expect(await failureOf(upside)).toMatchObject({ reason: "QueryParamInvalid" });
      await appOnly.webhooks.delete(hook.id);
      expect(await failureOf(appOnly.webhooks.delete(hook.id))).toMatchObject({
        reason: "WebhookIdInvalid",
      });
    });
  });

  describe("credentials of the wrong kind", () => {
    it("are refused before anything is sent", async () => {
      const unknown: Client = here.bot.as({ type: "bearer", bearerToken: here.app.bearer_token });
      const error = await failureOf(unknown.posts.create({ text: "hi" }));
      expect(error).toBeInstanceOf(CredentialError);
      expect(error).toMatchObject({ takes: ["oauth1", "oauth2"] });
      expect(unknown.rateLimits.all()).toEqual([]);
    });
  });
});
