import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { readiness } from "../../../src/runtime/readiness.ts";
import type { NewRuntimeEvent } from "../../../src/runtime/runtime-events.ts";
import { accountActivityWay } from "../../../src/runtime/webhook-link/account-activity-way.ts";
import type { WebhookLink, WebhookLinkChange } from "../../../src/runtime/webhook-link/link.ts";
import type { ReachabilityChange } from "../../../src/runtime/webhook-link/reachability.ts";
import { webhookLink } from "../../../src/runtime/webhook-link/webhook-link.ts";
import { answerChallenge } from "../../../src/runtime/webhook/challenge.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { gate, type Gate } from "../../support/gate.ts";
import { handClock } from "../../support/hand-clock.ts";
import { listening } from "../../support/listening.ts";
import { when } from "../../support/when.ts";

const URL_OF_BOT = "https://bot.example/webhook";
const MINUTE = 60_000;

let sandbox: RunningSandbox;
let way: Gate;
const cleanup: (() => Promise<void>)[] = [];
beforeEach(async () => {
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  way = await gate(sandbox.url);
});
afterEach(async () => {
  for (const end of cleanup.splice(0).toReversed()) await end();
  await way.close();
  await sandbox.close();
});

/** Creates the webhook link of a bot with one account. The platform's challenges fail, except within `answering`. */
async function linkOfOne() {
  const app = await sandbox.control.app();
  const id = await sandbox.control.user("hello_bot");
  const tokens = await sandbox.control.tokens(id, app.app_id);
  const client = createClient({
    baseUrl: way.url,
    credentials: { type: "bearer", bearerToken: app.bearer_token },
  });
  const account = client.as({
    type: "oauth1",
    consumerKey: app.consumer_key,
    consumerSecret: app.consumer_secret,
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  });
  const clock = handClock();
  const log = openLog({ level: "silent" });
  const ready = readiness();
  const events: NewRuntimeEvent[] = [];
  const reachable: ReachabilityChange[] = [];
  let change = (_change: WebhookLinkChange): void => {};
  const link = webhookLink({
    app: client,
    way: accountActivityWay(client),
    url: URL_OF_BOT,
    accounts: {
      list: () => [{ id, username: "hello_bot" }],
      subscribe: (listener) => {
        change = listener;
        return () => {};
      },
    },
    clientOf: () => account,
    clock,
    readiness: ready.part("webhook", "the webhook is not registered yet"),
    publish: (event) => events.push(event),
    log,
    random: () => 0,
  });
  link.onReachable((one) => reachable.push(one));
  cleanup.push(
    () => client.close(),
    () => link.stop(),
  );
  /** Makes the link check the webhook, as it does each minute. */
  const look = async (): Promise<void> => {
    clock.advance(MINUTE);
    await link.settled();
  };
  const types = () => events.splice(0).map(({ type }) => type);
  const secret = app.consumer_secret;
  const of = (type: WebhookLinkChange["type"]) =>
    change({ type, account: { id, username: "hello_bot" } });
  const appId = app.app_id;
  return { link, ready, events, types, reachable, id, appId, secret, client, clock, look, of };
}

/** Answers the platform's challenges while `work` runs, and passes them to the link. */
function answering<T>(
  {
    secret,
    link,
    isSigned = true,
  }: { readonly secret: string; readonly link: WebhookLink; readonly isSigned?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  return listening(
    (request, response) => {
      const query = new URLSearchParams(request.url?.split("?")[1]);
      const answer = answerChallenge(query.get("crc_token"), secret);
      link.arrived({ kind: "challenge", answered: answer.ok, isFromPlatform: isSigned });
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer.ok ? answer.body : {}));
    },
    async (origin) => {
      await sandbox.control.host("bot.example", origin);
      await sandbox.control.host("other.example", origin);
      return work();
    },
  );
}

describe("a webhook link", () => {
  it("is ready once the webhook is registered, and reuses an existing one", async () => {
    const one = await linkOfOne();
    const { link, ready, id, client } = one;
    await answering(one, async () => {
      const { id: webhook } = await client.webhooks.create(URL_OF_BOT);
      await link.start();
      expect(link.status()).toMatchObject({ valid: true, webhookId: webhook });
    });

    expect(link.status().subscribed).toEqual(new Set([id]));
    expect(ready.missing()).toEqual([]);
    expect(one.types()).toEqual(["link-registered", "link-subscribed"]);
    await one.look();
    expect(one.types()).toEqual([]);
  });

  it("reports what to do while the platform's challenge gets no answer, and is ready once it gets one", async () => {
    const one = await linkOfOne();
    const { link, ready, look } = one;
    await link.start();

    expect(ready.missing()).toMatchObject([
      {
        part: "webhook",
        reason: expect.stringMatching(
          /^the webhook is not registered: .*; check that webhook\.url/,
        ),
      },
    ]);
    expect(one.types()).toEqual(["link-failed"]);
    await look();
    // A repeated failure publishes no event.
    expect(one.types()).toEqual([]);
    expect(link.status()).toMatchObject({ valid: false, subscribed: new Set() });
    await answering(one, look);
    expect(ready.missing()).toEqual([]);
    expect(one.types()).toEqual(["link-registered", "link-subscribed"]);
  });

  it("starts while the platform is down, and becomes ready by itself when the platform is back", async () => {
    const one = await linkOfOne();
    const { link, ready, reachable, id } = one;
    way.shut();
    await link.start();

    expect(ready.missing()).toMatchObject([{ part: "webhook", reason: expect.any(String) }]);
    await answering(one, async () => {
      way.open();
      await when(() => (ready.missing().length === 0 ? true : undefined));
    });
    expect(one.types()).toEqual(["link-failed", "link-registered", "link-subscribed"]);
    expect(reachable).toMatchObject([
      { account: id, reachable: false, reason: "the webhook is not set up yet" },
      { account: id, reachable: true },
    ]);
  });

  it("reports what to do if the app has too many webhooks, and does not touch those of others", async () => {
    const one = await linkOfOne();
    const { link, ready, client } = one;
    await answering(one, async () => {
      for (let n = 0; n < 5; n++) await client.webhooks.create(`https://other.example/${n}`);
      await link.start();
    });

    expect(ready.missing()[0]?.reason).toMatch(/remove an unused webhook/);
    expect(await client.webhooks.list()).toHaveLength(5);
  });
});

describe("a webhook link that was ready", () => {
  it("registers a removed webhook again, and reports since when deliveries may be missing", async () => {
    const one = await linkOfOne();
    const { link, client, clock, reachable, id, look } = one;
    await answering(one, async () => {
      await client.webhooks.create("https://other.example/webhook");
      await link.start();
      const before = link.status().webhookId ?? "";
      await look();
      const goodAt = clock.now();
      one.types();
      await client.webhooks.delete(before);
      await look();

      expect(link.status().webhookId).not.toBe(before);
      expect(one.events).toMatchObject([
        {
          type: "link-lost",
          data: {
            reason: "the platform no longer has the webhook",
            since: new Date(goodAt).toISOString(),
          },
        },
        { type: "link-registered" },
        { type: "link-subscribed", data: { id } },
        { type: "link-restored" },
      ]);
      expect(reachable.slice(-2)).toEqual([
        {
          account: id,
          reachable: false,
          since: goodAt,
          reason: "the platform no longer has the webhook",
        },
        // The platform may deliver the first events only ten seconds after the subscription.
        { account: id, reachable: true, since: clock.now() + 10_000 },
      ]);
      expect((await client.webhooks.list()).map(({ url }) => url)).toContain(
        "https://other.example/webhook",
      );
    });
  });

  it("asks the platform to validate a webhook that is marked as invalid", async () => {
    const one = await linkOfOne();
    const { link, ready, client, look, clock, reachable, id } = one;
    await answering(one, () => link.start());
    const { webhookId = "" } = link.status();
    await expect(client.webhooks.validate(webhookId)).rejects.toThrow("CrcValidationFailed");
    one.types();
    await look();

    expect(link.status().valid).toBe(false);
    expect(ready.missing()[0]?.reason).toMatch(
      /^the platform does not deliver events: .*check that webhook\.url/,
    );
    expect(one.types()).toEqual(["link-lost"]);
    await answering(one, look);
    expect(link.status().valid).toBe(true);
    expect(ready.missing()).toEqual([]);
    expect(one.types()).toEqual(["link-restored"]);
    expect(reachable.at(-1)).toEqual({ account: id, reachable: true, since: clock.now() });
  });

  it("subscribes an account again whose subscription is gone, and names the account", async () => {
    const one = await linkOfOne();
    const { link, client, look, id, clock } = one;
    await answering(one, () => link.start());
    const { webhookId = "" } = link.status();
    clock.advance(1_000);
    await link.settled();
    link.arrived({ kind: "delivery", account: id });
    const deliveredAt = clock.now();
    one.types();
    await client.activity.unsubscribe({ webhookId, userId: id });
    await look();

    expect(one.events).toMatchObject([
      {
        type: "link-lost",
        data: {
          account: { id, username: "hello_bot" },
          since: new Date(deliveredAt).toISOString(),
        },
      },
      { type: "link-subscribed", data: { id } },
      { type: "link-restored", data: { account: { id } } },
    ]);
    expect((await client.activity.list(webhookId)).subscriptions).toEqual([{ user_id: id }]);
  });

  it("does not call an account subscribed whose tokens ended with a change of the permission level", async () => {
    const one = await linkOfOne();
    const { link, id, appId, look, clock } = one;
    await answering(one, () => link.start());
    expect([...link.status().subscribed]).toEqual([id]);
    await sandbox.control.changeApp(appId, { permission_level: "read" });
    clock.advance(5 * MINUTE);
    await look();

    expect([...link.status().subscribed]).toEqual([]);
    expect(link.status().refused.get(id)).toBe(
      "the permission level changed, or the tokens were revoked: run `answerback login --username hello_bot`",
    );
    await look();
    expect([...link.status().subscribed]).toEqual([]);
  });

  it("ignores one failed check, and reports a loss after two in succession", async () => {
    const one = await linkOfOne();
    const { link, reachable, look, ready, clock } = one;
    await answering(one, () => link.start());
    const goodAt = clock.now();
    one.types();
    // `look` causes the first check that fails. After a failure, the link checks again by itself.
    way.shut();
    await look();
    await when(() => (ready.missing().length > 0 ? true : undefined));
    expect(one.types()).toEqual(["link-lost"]);
    expect(reachable.at(-1)).toMatchObject({ reachable: false, since: goodAt });
    way.open();
    await when(() => (ready.missing().length === 0 ? true : undefined));
    expect(one.types()).toEqual(["link-restored"]);
    expect(reachable.at(-1)).toMatchObject({ reachable: true });
  });

  it("requests a challenge when nothing has arrived for longer than the platform's usual interval", async () => {
    const one = await linkOfOne();
    const { link, clock, look } = one;
    await answering(one, async () => {
      await link.start();
      const { challenges } = link.status().arrivals;
      clock.advance(69 * MINUTE);
      await link.settled();
      expect(link.status().arrivals.challenges).toBe(challenges);
      await look();
      await look();
      expect(link.status().arrivals.challenges).toBe(challenges + 1);
    });
    clock.advance(71 * MINUTE);
    await link.settled();

    expect(one.types()).toContain("link-lost");
  });
});

describe("a proof that the platform reaches this machine", () => {
  it("is a delivery, with the account that it is for, or a signed challenge that was answered", async () => {
    const { link, id, clock } = await linkOfOne();
    const proofs: unknown[] = [];
    const stop = link.onProof((proof) => proofs.push(proof));
    const at = clock.now();
    link.arrived({ kind: "delivery", account: id });
    link.arrived({ kind: "delivery", account: "" });
    link.arrived({ kind: "challenge", answered: true, isFromPlatform: true }, at - MINUTE);
    link.arrived({ kind: "challenge", answered: true, isFromPlatform: false });
    link.arrived({ kind: "challenge", answered: false, isFromPlatform: true });
    stop();
    link.arrived({ kind: "delivery", account: id });

    expect(proofs).toEqual([{ account: id, at }, { at }, { at: at - MINUTE }]);
  });

  it("is not a refused delivery, which is reported separately", async () => {
    const { link, id, clock } = await linkOfOne();
    const changes: unknown[] = [];
    link.onProof((proof) => changes.push(proof));
    const stop = link.onRefused((refused) => changes.push({ refused }));
    link.arrived({ kind: "refused", account: id });
    link.arrived({ kind: "refused", account: "" });
    stop();
    link.arrived({ kind: "refused", account: id });

    const at = clock.now();
    expect(changes).toEqual([{ refused: { account: id, at } }, { refused: { at } }]);
    expect(link.status().arrivals).toEqual({ challenges: 0, challengesRefused: 0, deliveries: 0 });
  });

  it("is a challenge that was requested and passed, although it has no signature", async () => {
    const one = await linkOfOne();
    const { link, clock, secret } = one;
    const proofs: unknown[] = [];
    link.onProof((proof) => proofs.push(proof));
    await answering({ secret, link, isSigned: false }, () => link.start());

    expect(proofs).toEqual([{ at: clock.now() }]);
  });
});

describe("accounts that are linked and removed", () => {
  it("ends the subscription of a removed account once the platform is back", async () => {
    const one = await linkOfOne();
    const { link, client, look, of, reachable, id } = one;
    await answering(one, () => link.start());
    const { webhookId = "" } = link.status();
    way.shut();
    of("removed");
    await link.settled();

    expect(reachable.at(-1)).toMatchObject({ account: id, reachable: false, reason: "unlinked" });
    way.open();
    await when(async () => {
      await look();
      const { subscriptions } = await client.activity.list(webhookId);
      return subscriptions.length === 0 ? true : undefined;
    });
  });

  it("reports the state of each account to a new listener", async () => {
    const one = await linkOfOne();
    const { link, id, clock } = one;
    await answering(one, () => link.start());
    const heard: ReachabilityChange[] = [];
    const stop = link.onReachable((change) => heard.push(change));
    stop();
    one.of("revoked");
    await link.settled();

    expect(heard).toEqual([{ account: id, reachable: true, since: clock.now() + 10_000 }]);
  });
});
