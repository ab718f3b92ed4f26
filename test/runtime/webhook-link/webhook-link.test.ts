import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { readiness } from "../../../src/runtime/readiness.ts";
import type { NewRuntimeEvent } from "../../../src/runtime/runtime-events.ts";
import { webhookLink } from "../../../src/runtime/webhook-link/webhook-link.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { answerChallenge } from "../../../src/runtime/webhook/challenge.ts";
import { listening } from "../../support/listening.ts";

const URL_OF_BOT = "https://bot.example/webhook";

let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
});
afterEach(() => sandbox.close());

/** A link of one account on the sandbox; nobody answers challenges unless `during` makes it so. */
async function linkOfOne() {
  const app = await sandbox.control.app();
  const id = await sandbox.control.user("hello_bot");
  const tokens = await sandbox.control.tokens(id, app.app_id);
  const client = createClient({
    baseUrl: sandbox.url,
    credentials: { type: "bearer", bearerToken: app.bearer_token },
  });
  const account = client.as({
    type: "oauth1",
    consumerKey: app.consumer_key,
    consumerSecret: app.consumer_secret,
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  });
  const ready = readiness();
  const events: NewRuntimeEvent[] = [];
  const link = webhookLink({
    app: client,
    url: URL_OF_BOT,
    accounts: { list: () => [{ id, username: "hello_bot" }], subscribe: () => () => {} },
    clientOf: () => account,
    readiness: ready.part("webhook", "the webhook is not registered yet"),
    publish: (event) => events.push(event),
    log: openLog({ level: "silent" }),
  });
  return { link, ready, events, id, secret: app.consumer_secret, client };
}

/** Answers the platform's challenges for the length of `work`. */
function answering<T>(secret: string, work: () => Promise<T>): Promise<T> {
  return listening(
    (request, response) => {
      const query = new URLSearchParams(request.url?.split("?")[1]);
      const answer = answerChallenge(query.get("crc_token"), secret);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer.ok ? answer.body : {}));
    },
    async (origin) => {
      await sandbox.control.host("bot.example", origin);
      return work();
    },
  );
}

describe("a webhook link", () => {
  it("is ready once the webhook is registered, and finds what is there already", async () => {
    const { link, ready, events, id, secret, client } = await linkOfOne();
    await answering(secret, async () => {
      await link.establish();
      await link.establish();
    });

    expect(link.status()).toMatchObject({ valid: true, subscribed: new Set([id]) });
    expect(ready.missing()).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual([
      "link-registered",
      "link-subscribed",
      "link-registered",
      "link-subscribed",
    ]);
    await link.stop();
    await client.close();
  });

  it("says why it is not ready when nobody answers the platform's challenge", async () => {
    const { link, ready, events, client } = await linkOfOne();

    await expect(link.establish()).rejects.toMatchObject({ reason: "CrcValidationFailed" });
    expect(ready.missing()).toMatchObject([
      { part: "webhook", reason: expect.stringMatching(/^the webhook is not registered: ./) },
    ]);
    expect(events.map(({ type }) => type)).toEqual(["link-failed"]);
    expect(link.status()).toMatchObject({ valid: false, subscribed: new Set() });
    await link.stop();
    await client.close();
  });
});
